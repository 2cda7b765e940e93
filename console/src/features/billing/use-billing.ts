import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { trpc } from '../../lib/trpc.ts';

const REFRESH_MS = 10_000;

/** The account's balance, plan and settings, renewed while the page is looked at: requests move it. */
export function useBilling(accountId: string) {
  return useQuery(
    trpc.billing.get.queryOptions({ accountId }, { refetchInterval: REFRESH_MS, staleTime: 0 }),
  );
}

/** The ledger, page by page, newest first. */
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

/** The payments, page by page, newest first. */
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
