import { useNavigate, useSearch } from '@tanstack/react-router';
import type { KeyPageSearch } from './search.ts';

/** The page's URL state and its setter. */
export function usePageSearch(): [KeyPageSearch, (change: KeyPageSearch) => void] {
  const search = useSearch({ from: '/app/keys/$keyId' });
  const navigate = useNavigate({ from: '/keys/$keyId' });
  const set = (change: KeyPageSearch) =>
    void navigate({
      search: (current) => ({ ...current, ...change }),
      replace: true,
      resetScroll: false,
    });
  return [search, set];
}
