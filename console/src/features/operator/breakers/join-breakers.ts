import type { OperatorReplica } from '../operator-types.ts';

type Told = NonNullable<OperatorReplica['told']>;
export type Breaker = Told['breakers'][number];

/** What one process says of a route. */
interface ReplicaBreaker extends Breaker {
  replicaId: string;
}

/** A route that fails, as all processes see it. */
export interface FailingRoute {
  routeId: string;
  counts: Breaker['counts'];
  modelId: string;
  providerName: string;
  /** The worst of them. */
  state: Breaker['state'];
  /** In how many processes it is in that state. */
  on: number;
  /** The worst first. */
  replicas: ReplicaBreaker[];
}

const RANK = { open: 0, 'half-open': 1, closed: 2 } as const;

/** The routes that fail in any process, the worst first. */
export function joinBreakers(replicas: readonly OperatorReplica[]): FailingRoute[] {
  const all = replicas.flatMap(({ id, told }) =>
    (told?.breakers ?? []).map((breaker): ReplicaBreaker => ({ ...breaker, replicaId: id })),
  );
  const groups = Map.groupBy(all, ({ routeId, counts }) => `${routeId} ${counts}`);
  return [...groups.values()]
    .flatMap((group): FailingRoute[] => {
      const sorted = group.toSorted((a, b) => RANK[a.state] - RANK[b.state] || b.forMs - a.forMs);
      const [worst] = sorted;
      if (worst === undefined) return [];
      const { routeId, counts, modelId, providerName, state } = worst;
      const on = sorted.filter((breaker) => breaker.state === state).length;
      return [{ routeId, counts, modelId, providerName, state, on, replicas: sorted }];
    })
    .toSorted((a, b) => RANK[a.state] - RANK[b.state] || a.modelId.localeCompare(b.modelId));
}

/** How many processes have told. */
export function countTold(replicas: readonly OperatorReplica[]): number {
  return replicas.filter(({ told }) => told !== null).length;
}
