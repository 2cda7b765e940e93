import { useQuery } from '@tanstack/react-query';
import { trpc, type RequestDetail } from '../../../lib/trpc.ts';

const ARRIVE_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

/** What was asked and answered, once the request is over; looked for again where it may still be on its way. */
export function useBodies(accountId: string, request: RequestDetail, isEnabled: boolean) {
  return useQuery(
    trpc.bodies.get.queryOptions(
      { accountId, requestId: request.id },
      {
        enabled: isEnabled && !request.isOpen,
        // It never changes, and is large.
        staleTime: ({ state }) => (state.data?.kept === null ? 0 : Infinity),
        refetchInterval: ({ state }) =>
          state.data?.kept === null && isFresh(request, Date.now()) ? LOOK_EVERY_MS : false,
      },
    ),
  );
}

/** True while what is kept of a request may not be stored yet. */
export function isFresh(request: RequestDetail, nowMs: number): boolean {
  const endedAtMs = new Date(request.startedAt).getTime() + request.latencyMs;
  return nowMs - endedAtMs < ARRIVE_WITHIN_MS;
}
