import { computeDriftPpm } from '@tollgate/core/money/cost-drift';
import { withoutMultiplier } from '@tollgate/core/money/rates/compute-cost';
import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';

/** Reported and computed costs of one model and route. */
export interface CostDrift {
  model: string;
  /** null: the route of the requests is not known. */
  routeId: string | null;
  provider: string | null;
  requests: number;
  reportedNanoUsd: bigint;
  /** By our rates, without the multiplier of plans. */
  computedNanoUsd: bigint;
  /** Reported minus computed cost, in millionths of the larger one. */
  driftPpm: number;
}

/**
 * Compares costs that providers reported with what our rates give, the largest difference first. What was billed says the
 * latter, with what the hold did not cover, which is in the operator's cost. Left out is what does not say it: estimates,
 * requests of plans that charge nothing, those with a price mismatch, which are billed at their hold, and those whose
 * operator's cost may be that of an earlier attempt.
 * @param since of requests that started then or later
 */
export async function listCostDrift(db: Connection, since: Date): Promise<CostDrift[]> {
  const rows = await db.drizzle.execute<DriftGroup & Record<string, unknown>>(sql`
    SELECT coalesce(r.model, '') AS model, r.route_id AS "routeId", r.price_ppm AS "pricePpm", min(r.provider) AS provider,
      count(*)::float8 AS requests, sum(r.reported_cost_nano_usd)::text AS reported,
      sum(r.cost_nano_usd + r.operator_cost_nano_usd)::text AS charged
    FROM requests r
    WHERE r.started_at >= ${since.toISOString()}::timestamptz AND r.state = 'settled'
      AND r.reported_cost_nano_usd IS NOT NULL AND r.price_ppm > 0 AND NOT r.estimated
      AND r.price_id IS NOT NULL AND r.price_mismatch IS NULL
      AND (r.operator_cost_nano_usd = 0 OR r.attempts IS NULL) AND NOT r.own_credential
    GROUP BY 1, 2, 3`);
  const sums = new Map<string, CostDrift>();
  for (const row of rows) {
    const key = JSON.stringify([row.model, row.routeId]);
    sums.set(key, addGroup(sums.get(key), row));
  }
  return [...sums.values()].toSorted(
    (a, b) => compare(computeGap(b), computeGap(a)) || compare(getName(a), getName(b)),
  );
}

/** Requests of one model and route that were billed with the same multiplier. */
interface DriftGroup {
  model: string;
  routeId: string | null;
  pricePpm: number;
  provider: string | null;
  requests: number;
  /** Sums in nano-dollars. */
  reported: string;
  charged: string;
}

function addGroup(sum: CostDrift | undefined, group: DriftGroup): CostDrift {
  const { model, routeId, pricePpm } = group;
  const reportedNanoUsd = (sum?.reportedNanoUsd ?? 0n) + BigInt(group.reported);
  const computedNanoUsd = (sum?.computedNanoUsd ?? 0n) + withoutMultiplier(BigInt(group.charged), pricePpm);
  return {
    model,
    routeId,
    provider: sum?.provider ?? group.provider,
    requests: (sum?.requests ?? 0) + group.requests,
    reportedNanoUsd,
    computedNanoUsd,
    driftPpm: computeDriftPpm({ reportedNanoUsd, computedNanoUsd }) ?? 0,
  };
}

function computeGap({ reportedNanoUsd, computedNanoUsd }: CostDrift): bigint {
  return reportedNanoUsd > computedNanoUsd
    ? reportedNanoUsd - computedNanoUsd
    : computedNanoUsd - reportedNanoUsd;
}

function getName({ model, routeId }: CostDrift): string {
  return `${model} ${routeId ?? ''}`;
}

function compare<Value extends bigint | string>(a: Value, b: Value): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
