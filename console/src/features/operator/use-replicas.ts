import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../lib/trpc.ts';

const REFRESH_MS = 3_000;

/** The processes of the api, each asked how it is, again and again while the page is in sight. */
export function useReplicas() {
  return useQuery(
    trpc.operator.replicas.list.queryOptions(undefined, { staleTime: 0, refetchInterval: REFRESH_MS }),
  );
}
