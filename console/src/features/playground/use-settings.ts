import { useNavigate, useSearch } from '@tanstack/react-router';
import type { PlaygroundSearch } from './search.ts';

/** The parameters of a request: they live in the URL, so that they can be linked to. */
export function useSettings() {
  const search = useSearch({ from: '/app/playground' });
  const navigate = useNavigate({ from: '/playground' });
  const change = (next: Partial<PlaygroundSearch>) =>
    void navigate({ search: (current) => ({ ...current, ...next }), replace: true });
  return { settings: search, change };
}
