import type { OperatorReplica } from '../operator-types.ts';

type ReplicaReport = NonNullable<OperatorReplica['report']>;
export type Breaker = ReplicaReport['breakers'][number];

/** Breaker state of a route on one replica. */
interface ReplicaBreaker extends Breaker {
  replicaId: string;
}

/** A failing route, merged over all replicas. */
export interface FailingRoute {
  routeId: string;
  counts: Breaker['counts'];
  modelId: string;
  providerName: string;
  /** Label of the credential that fails; null: the provider has one. */
  credential: string | null;
  /** The worst state of all replicas. */
  state: Breaker['state'];
  /** Number of replicas in that state. */
  on: number;
  /** Worst first. */
  replicas: ReplicaBreaker[];
}

const RANK = { open: 0, 'half-open': 1, closed: 2 } as const;

/** Routes that fail on any replica, worst first. */
export function joinBreakers(replicas: readonly OperatorReplica[]): FailingRoute[] {
  const all = replicas.flatMap(({ id, report }) =>
    (report?.breakers ?? []).map((breaker): ReplicaBreaker => ({ ...breaker, replicaId: id })),
  );
  const groups = Map.groupBy(all, getFailingKey);
  return [...groups.values()]
    .flatMap((group): FailingRoute[] => {
      const sorted = group.toSorted((a, b) => RANK[a.state] - RANK[b.state] || b.forMs - a.forMs);
      const [worst] = sorted;
      if (worst === undefined) return [];
      const { routeId, counts, modelId, providerName, credential, state } = worst;
      const on = sorted.filter((breaker) => breaker.state === state).length;
      return [{ routeId, counts, modelId, providerName, credential, state, on, replicas: sorted }];
    })
    .toSorted((a, b) => RANK[a.state] - RANK[b.state] || a.modelId.localeCompare(b.modelId));
}

/** Each credential of a provider and each kind of requests has its own breaker. */
export function getFailingKey({
  routeId,
  credential,
  counts,
}: Pick<FailingRoute, 'routeId' | 'credential' | 'counts'>): string {
  return `${routeId} ${credential ?? ''} ${counts}`;
}

/** Number of replicas that reported. */
export function countReporting(replicas: readonly OperatorReplica[]): number {
  return replicas.filter(({ report }) => report !== null).length;
}
