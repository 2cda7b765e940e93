import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../lib/trpc.ts';

const REFRESH_MS = 3_000;

/** State of the API replicas, polled while the page is visible. */
export function useReplicas() {
  return useQuery(
    trpc.operator.replicas.list.queryOptions(undefined, { staleTime: 0, refetchInterval: REFRESH_MS }),
  );
}
