import type { RequestFilter } from '@tollgate/core/requests/request-filter';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { trpc } from '../../lib/trpc.ts';

const OPEN_REFRESH_MS = 1_000;
/** The second part of a query key of tRPC. */
const listKeySchema = z.object({ input: z.object({ accountId: z.string() }) });

/** The account's requests, paginated, newest first. `useTail` delivers later ones. */
export function useRequests(input: { accountId: string; filter: RequestFilter }) {
  return useInfiniteQuery(
    trpc.requests.list.infiniteQueryOptions(input, {
      getNextPageParam: (page) => page.nextCursor,
      // Rows of another account are no placeholder.
      placeholderData: (previous, query) => (belongsTo(query, input.accountId) ? previous : undefined),
      staleTime: 0,
      refetchOnWindowFocus: false,
    }),
  );
}

/** @param query of another filter, and perhaps of another account; undefined: none */
function belongsTo(query: { queryKey: readonly unknown[] } | undefined, accountId: string): boolean {
  return listKeySchema.safeParse(query?.queryKey[1]).data?.input.accountId === accountId;
}

/** Details of one request, polled until it ends. */
export function useRequest(input: { accountId: string; requestId: string }) {
  return useQuery(
    trpc.requests.get.queryOptions(input, {
      refetchInterval: ({ state }) => (state.data?.isOpen === true ? OPEN_REFRESH_MS : false),
    }),
  );
}
