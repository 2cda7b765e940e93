import { useQuery } from '@tanstack/react-query';
import { trpc, type RequestDetail } from '../../../lib/trpc.ts';

const ARRIVE_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

/** Loads the logged payload after the request ends, and polls while it may still be written. */
export function useBodies(accountId: string, request: RequestDetail, isEnabled: boolean) {
  return useQuery(
    trpc.bodies.get.queryOptions(
      { accountId, requestId: request.id },
      {
        enabled: isEnabled && !request.isOpen,
        // The payload is large and never changes.
        staleTime: ({ state }) => (state.data?.kept === null ? 0 : Infinity),
        refetchInterval: ({ state }) =>
          state.data?.kept === null && isFresh(request, Date.now()) ? LOOK_EVERY_MS : false,
      },
    ),
  );
}

/** True while the payload may not be stored yet. */
export function isFresh(request: RequestDetail, nowMs: number): boolean {
  const endedAtMs = new Date(request.startedAt).getTime() + request.latencyMs;
  return nowMs - endedAtMs < ARRIVE_WITHIN_MS;
}
