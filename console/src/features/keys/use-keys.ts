import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { trpc } from '../../lib/trpc.ts';
import { toKeyQuery, type KeysSearch } from './search.ts';

const REFRESH_MS = 10_000;

/** The account's keys, paginated and polled, so last use and spend stay current. */
export function useKeys(accountId: string, search: KeysSearch) {
  return useInfiniteQuery(
    trpc.keys.list.infiniteQueryOptions(
      { accountId, ...toKeyQuery(search) },
      {
        getNextPageParam: (page) => page.nextCursor,
        placeholderData: keepPreviousData,
        refetchInterval: REFRESH_MS,
        staleTime: 0,
      },
    ),
  );
}

/** One key, polled in the same way. */
export function useKey(accountId: string, keyId: string) {
  return useQuery(
    trpc.keys.get.queryOptions({ accountId, keyId }, { refetchInterval: REFRESH_MS, staleTime: 0 }),
  );
}

/** All tags of the account's keys. */
export function useKeyTags(accountId: string): string[] {
  return useQuery(trpc.keys.tags.queryOptions({ accountId })).data?.tags ?? [];
}
