import type { RequestFilter } from '@tollgate/core/requests/request-filter';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { trpc } from '../../lib/trpc.ts';

const OPEN_REFRESH_MS = 1_000;

/** The account's requests, paginated, newest first. `useTail` delivers later ones. */
export function useRequests(input: { accountId: string; filter: RequestFilter }) {
  return useInfiniteQuery(
    trpc.requests.list.infiniteQueryOptions(input, {
      getNextPageParam: (page) => page.nextCursor,
      placeholderData: keepPreviousData,
      staleTime: 0,
      refetchOnWindowFocus: false,
    }),
  );
}

/** Details of one request, polled until it ends. */
export function useRequest(input: { accountId: string; requestId: string }) {
  return useQuery(
    trpc.requests.get.queryOptions(input, {
      refetchInterval: ({ state }) => (state.data?.isOpen === true ? OPEN_REFRESH_MS : false),
    }),
  );
}
