import { isDrifting } from '@tollgate/core/money/cost-drift';
import { findLastDays } from '@tollgate/core/requests/last-days';
import { listCostDrift, type CostDrift } from '@tollgate/db/queries/ledger/cost-drift';
import { listLostCacheReads, type LostCacheReads } from '@tollgate/db/queries/ledger/lost-cache-reads';
import {
  listHealthCheckCosts,
  type HealthCheckCosts,
} from '@tollgate/db/queries/health-checks/health-checks';
import { listUnbilledCosts, type UnbilledCosts } from '@tollgate/db/queries/ledger/unbilled-costs';
import type { Connection } from '@tollgate/db/transaction';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { operatorProcedure, router } from '../trpc.ts';

/** As {@link LostCacheReads}, with the amount in decimal nano-dollars. */
export type LostCacheReadsView = Omit<LostCacheReads, 'costNanoUsd'> & { costNanoUsd: string };

/** As {@link HealthCheckCosts}, with the amount in decimal nano-dollars. */
export type HealthCheckCostsView = Omit<HealthCheckCosts, 'costNanoUsd'> & { costNanoUsd: string };

const PERIOD_DAYS = { '7d': 7, '30d': 30 } as const;
/** Models and routes of one response; the largest amounts come first. */
const MAX_ROUTES = 200;

/** Provider cost of one model and route. Amounts are decimal nano-dollars. */
export interface RouteCosts {
  model: string;
  /** null: the route of the requests is not known. */
  routeId: string | null;
  provider: string | null;
  /** Requests whose cost the provider reported; null: none. */
  reported: {
    requests: number;
    reportedNanoUsd: string;
    /** By our rates, without the multiplier of plans. */
    billedNanoUsd: string;
    /** Reported beyond billed, in millionths of the larger one; below 0: less. */
    driftPpm: number;
    isDrifting: boolean;
  } | null;
  /** Requests with cost that was billed to no account; null: none. */
  unbilled: { requests: number; costNanoUsd: string } | null;
}

export const operatorCostsRouter = router({
  /** `more`: routes left out because the list is too long. */
  list: operatorProcedure
    .input(z.object({ period: z.enum(['7d', '30d']).default('7d') }))
    .query(async ({ ctx, input }): Promise<{ routes: RouteCosts[]; more: number }> => {
      const routes = await listRouteCosts(ctx.deps.db, findStart(ctx, input.period));
      return { routes: routes.slice(0, MAX_ROUTES), more: Math.max(0, routes.length - MAX_ROUTES) };
    }),

  /** What changes of the route within sessions cost, by model. */
  lostCacheReads: operatorProcedure
    .input(z.object({ period: z.enum(['7d', '30d']).default('7d') }))
    .query(async ({ ctx, input }): Promise<LostCacheReadsView[]> => {
      const { db } = ctx.deps;
      const since = findStart(ctx, input.period);
      const lost = await listLostCacheReads(db, since);
      return lost
        .slice(0, MAX_ROUTES)
        .map(({ costNanoUsd, ...row }) => ({ ...row, costNanoUsd: costNanoUsd.toString() }));
    }),

  /** What health checks cost, by model and route. */
  healthChecks: operatorProcedure
    .input(z.object({ period: z.enum(['7d', '30d']).default('7d') }))
    .query(async ({ ctx, input }): Promise<HealthCheckCostsView[]> => {
      const { db } = ctx.deps;
      const since = findStart(ctx, input.period);
      const checks = await listHealthCheckCosts(db, since);
      return checks
        .slice(0, MAX_ROUTES)
        .map(({ costNanoUsd, ...row }) => ({ ...row, costNanoUsd: costNanoUsd.toString() }));
    }),
});

function findStart({ deps, timeZone }: Context, period: keyof typeof PERIOD_DAYS): Date {
  const range = { days: PERIOD_DAYS[period], timeZone, nowMs: deps.clock.nowMs() };
  return new Date(findLastDays(range).fromMs);
}

/** Provider costs since a time, by model and route; the largest sum of drift and unbilled cost first. */
export async function listRouteCosts(db: Connection, since: Date): Promise<RouteCosts[]> {
  const [drifts, unbilled] = await Promise.all([listCostDrift(db, since), listUnbilledCosts(db, since)]);
  return joinCosts(drifts, unbilled);
}

/** One row per model and route; the largest sum of drift and unbilled cost first. */
function joinCosts(drifts: readonly CostDrift[], unbilled: readonly UnbilledCosts[]): RouteCosts[] {
  const rows = new Map<string, { costs: RouteCosts; weight: bigint }>();
  for (const drift of drifts) {
    const { model, routeId, provider, reportedNanoUsd, computedNanoUsd } = drift;
    const difference = reportedNanoUsd - computedNanoUsd;
    const costs = { model, routeId, provider, reported: toReported(drift), unbilled: null };
    rows.set(getKey(drift), { costs, weight: difference < 0n ? -difference : difference });
  }
  for (const row of unbilled) {
    const { model, routeId, provider, requests, unbilledNanoUsd } = row;
    const known = rows.get(getKey(row));
    const costs = known?.costs ?? { model, routeId, provider, reported: null };
    rows.set(getKey(row), {
      costs: { ...costs, unbilled: { requests, costNanoUsd: unbilledNanoUsd.toString() } },
      weight: (known?.weight ?? 0n) + unbilledNanoUsd,
    });
  }
  return [...rows.values()].toSorted(byWeight).map(({ costs }) => costs);
}

function byWeight(a: { weight: bigint }, b: { weight: bigint }): number {
  if (a.weight === b.weight) return 0;
  return a.weight > b.weight ? -1 : 1;
}

function getKey({ model, routeId }: { model: string; routeId: string | null }): string {
  return JSON.stringify([model, routeId]);
}

function toReported(drift: CostDrift): RouteCosts['reported'] {
  const { requests, reportedNanoUsd, computedNanoUsd, driftPpm } = drift;
  return {
    requests,
    reportedNanoUsd: reportedNanoUsd.toString(),
    billedNanoUsd: computedNanoUsd.toString(),
    driftPpm,
    isDrifting: isDrifting(driftPpm),
  };
}
