import { useNavigate } from '@tanstack/react-router';
import type { UsageSearch } from './search.ts';

/** Changes a part of what the URL says is shown, in place. */
export function useSetSearch(): (part: UsageSearch) => void {
  const navigate = useNavigate({ from: '/usage' });
  return (part) =>
    void navigate({ search: (current) => ({ ...current, ...part }), replace: true, resetScroll: false });
}
