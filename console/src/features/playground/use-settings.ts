import { useNavigate, useSearch } from '@tanstack/react-router';
import type { CatalogueModel } from '../../lib/trpc.ts';
import type { PlaygroundSearch } from './search.ts';

/** The parameters of a request: they live in the URL, so that they can be linked to. */
export function useSettings() {
  const search = useSearch({ from: '/app/playground' });
  const navigate = useNavigate({ from: '/playground' });
  const change = (next: Partial<PlaygroundSearch>) =>
    void navigate({ search: (current) => ({ ...current, ...next }), replace: true });
  return { settings: search, change };
}

/** The models that a conversation can be had with. */
export function chatModels(models: readonly CatalogueModel[]): CatalogueModel[] {
  return models.filter(
    (model) => model.availability === 'available' && !model.capabilities.includes('embeddings'),
  );
}
