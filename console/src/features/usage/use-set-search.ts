import { useNavigate } from '@tanstack/react-router';
import type { UsageSearch } from './search.ts';

/** Updates search parameters in place. */
export function useSetSearch(): (part: UsageSearch) => void {
  const navigate = useNavigate({ from: '/usage' });
  return (part) =>
    void navigate({ search: (current) => ({ ...current, ...part }), replace: true, resetScroll: false });
}
