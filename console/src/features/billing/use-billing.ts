import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { trpc } from '../../lib/trpc.ts';

const REFRESH_MS = 10_000;

/** Balance, plan and settings of the account, refetched while the page is visible. */
export function useBilling(accountId: string) {
  return useQuery(
    trpc.billing.get.queryOptions({ accountId }, { refetchInterval: REFRESH_MS, staleTime: 0 }),
  );
}

/** Ledger pages, newest first. */
export function useEntries(accountId: string) {
  return useInfiniteQuery(
    trpc.billing.entries.infiniteQueryOptions(
      { accountId },
      {
        getNextPageParam: (page) => page.nextCursor,
        placeholderData: keepPreviousData,
        refetchInterval: REFRESH_MS,
        staleTime: 0,
      },
    ),
  );
}

/** Days with ledger entries, newest first. */
export function useDays(accountId: string) {
  return useInfiniteQuery(
    trpc.billing.days.infiniteQueryOptions(
      { accountId },
      {
        getNextPageParam: (page) => page.nextCursor,
        placeholderData: keepPreviousData,
        refetchInterval: REFRESH_MS,
        staleTime: 0,
      },
    ),
  );
}

/** Payment pages, newest first. */
export function usePayments(accountId: string) {
  return useInfiniteQuery(
    trpc.billing.payments.infiniteQueryOptions(
      { accountId },
      {
        getNextPageParam: (page) => page.nextCursor,
        placeholderData: keepPreviousData,
        refetchInterval: REFRESH_MS,
        staleTime: 0,
      },
    ),
  );
}
