import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { trpc, type Billing } from '../../lib/trpc.ts';

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

/**
 * Days with ledger entries, newest first. Each page sums up a month, so they are refetched only if an entry was posted: usage
 * that is not posted yet does not change what is posted.
 */
export function useDays(accountId: string, { availableNanoUsd, unpostedNanoUsd }: Billing) {
  const list = useInfiniteQuery(
    trpc.billing.days.infiniteQueryOptions(
      { accountId },
      {
        getNextPageParam: (page) => page.nextCursor,
        placeholderData: keepPreviousData,
        staleTime: 0,
      },
    ),
  );
  const postedNanoUsd = String(BigInt(availableNanoUsd) + BigInt(unpostedNanoUsd));
  const shownNanoUsd = useRef(postedNanoUsd);
  const { refetch } = list;
  useEffect(() => {
    if (shownNanoUsd.current === postedNanoUsd) return;
    shownNanoUsd.current = postedNanoUsd;
    void refetch();
  }, [postedNanoUsd, refetch]);
  return list;
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
