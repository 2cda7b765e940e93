import { useReplicas } from '../use-replicas.ts';
import { countReporting, joinBreakers, type FailingRoute } from './join-breakers.ts';

/** Current breakers of all replicas. */
export interface SeenBreakers {
  routes: FailingRoute[];
  /** Number of replicas that reported; 0 means unknown. */
  reporting: number;
  reportedAtMs: number;
}

/** @returns null while loading or after an error */
export function useBreakers(): SeenBreakers | null {
  const { data, dataUpdatedAt, isError } = useReplicas();
  if (data === undefined || isError) return null;
  return {
    routes: joinBreakers(data.replicas),
    reporting: countReporting(data.replicas),
    reportedAtMs: dataUpdatedAt,
  };
}
