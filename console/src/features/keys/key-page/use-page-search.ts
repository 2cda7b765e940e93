import { useNavigate, useSearch } from '@tanstack/react-router';
import type { KeyPageSearch } from './search.ts';

/** What of the page is shown, and the way to change it. */
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
