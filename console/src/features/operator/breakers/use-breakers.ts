import { useReplicas } from '../use-replicas.ts';
import { countTold, joinBreakers, type FailingRoute } from './join-breakers.ts';

/** The breakers of all processes, as of now. */
export interface SeenBreakers {
  routes: FailingRoute[];
  /** Processes that have told; 0: nothing is known. */
  told: number;
  toldAtMs: number;
}

/** null: they were not read yet, or cannot be. */
export function useBreakers(): SeenBreakers | null {
  const { data, dataUpdatedAt, isError } = useReplicas();
  if (data === undefined || isError) return null;
  return { routes: joinBreakers(data.replicas), told: countTold(data.replicas), toldAtMs: dataUpdatedAt };
}
