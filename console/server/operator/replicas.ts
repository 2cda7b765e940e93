import type { Breaker, ReplicaAnswer } from '@tollgate/core/runtime/replica-asks';
import { listRoutes } from '@tollgate/db/queries/catalogue/routes';
import { listLabels } from '@tollgate/db/queries/providers/provider-credentials';
import packageJson from '../../package.json' with { type: 'json' };
import type { AskedReplica } from '../live/ask-replicas.ts';
import { operatorProcedure, router } from '../trpc.ts';
import { askAtPace } from '../live/ask-at-pace.ts';

/** A breaker with the route that it is of. */
export interface BreakerRow extends Breaker {
  modelId: string;
  providerName: string;
  /** Label of the credential that fails; null: the provider has one. */
  credential: string | null;
}

export interface ReplicaView {
  id: string;
  startedAt: string;
  heartbeatAt: string;
  state: AskedReplica<unknown>['state'];
  /** What it says of itself; null: it does not answer. */
  report: (Omit<ReplicaAnswer, 'about' | 'breakers'> & { breakers: BreakerRow[] }) | null;
}

export interface ReplicasView {
  /** Of the console's process. */
  consoleVersion: string;
  replicas: ReplicaView[];
}

export const operatorReplicasRouter = router({
  /** The current state of the API replicas: each one is queried. */
  list: operatorProcedure.query(async ({ ctx }): Promise<ReplicasView> => {
    askAtPace(ctx, ctx.session);
    const { db, live } = ctx.deps;
    const replicas = await live.asker.replicas();
    const isAnyFailing = replicas.some(({ answer }) => (answer?.breakers.length ?? 0) > 0);
    const routes = isAnyFailing ? await listRoutes(db) : [];
    const labels = isAnyFailing ? await listLabels(db) : null;
    const byId = new Map(routes.map((route) => [route.id, route]));
    const toRow = (breaker: Breaker): BreakerRow[] => {
      const route = byId.get(breaker.routeId);
      // Removed in the meantime: no requests are sent there.
      if (route === undefined) return [];
      const { modelId, providerName } = route;
      const credential = labels?.get(providerName)?.get(breaker.credentialId) ?? null;
      return [{ ...breaker, modelId, providerName, credential }];
    };
    return {
      consoleVersion: packageJson.version,
      replicas: replicas.map((replica) => toView(replica, toRow)),
    };
  }),
});

function toView(
  { id, startedAt, heartbeatAt, state, answer }: AskedReplica<ReplicaAnswer>,
  toRow: (breaker: Breaker) => BreakerRow[],
): ReplicaView {
  const seen = { id, startedAt: startedAt.toISOString(), heartbeatAt: heartbeatAt.toISOString(), state };
  if (answer === null) return { ...seen, report: null };
  const { about: _, breakers, ...report } = answer;
  return { ...seen, report: { ...report, breakers: breakers.flatMap(toRow) } };
}
