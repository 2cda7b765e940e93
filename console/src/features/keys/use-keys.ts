import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { trpc } from '../../lib/trpc.ts';
import type { KeyListState } from './search.ts';

const REFRESH_MS = 10_000;

/** The account's keys, page by page, renewed while the page is looked at: last use and spend move by themselves. */
export function useKeys(input: { accountId: string; state: KeyListState; search: string }) {
  const { accountId, state, search } = input;
  return useInfiniteQuery(
    trpc.keys.list.infiniteQueryOptions(
      { accountId, state, ...(search === '' ? {} : { search }) },
      {
        getNextPageParam: (page) => page.nextCursor,
        placeholderData: keepPreviousData,
        refetchInterval: REFRESH_MS,
        staleTime: 0,
      },
    ),
  );
}
