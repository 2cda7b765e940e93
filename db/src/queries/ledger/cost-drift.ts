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

/** A difference above this is reported: 1 %. */
const DRIFT_ALERT_PPM = 10_000;

/**
 * Compares costs that providers reported with what our rates give, the largest difference first. What was billed says the
 * latter, with what the hold did not cover, which is in the operator's cost. Left out is what does not say it: estimates,
 * requests of plans that charge nothing, those with a price mismatch, which are billed at their hold, and those whose
 * operator's cost may be that of an earlier attempt.
 * @param since of requests that started then or later
 */
export async function listCostDrift(db: Connection, since: Date): Promise<CostDrift[]> {
  const rows = await db.drizzle.execute<CostDrift & Record<string, unknown>>(sql`
    SELECT sums.model, sums.route_id AS "routeId", sums.provider, sums.requests::float8 AS requests,
      sums.reported::bigint AS "reportedNanoUsd", sums.computed::bigint AS "computedNanoUsd",
      coalesce(round((sums.reported - sums.computed) * 1000000 / nullif(greatest(sums.reported, sums.computed), 0)), 0)::float8
        AS "driftPpm"
    FROM (
      SELECT coalesce(r.model, '') AS model, r.route_id, min(r.provider) AS provider, count(*) AS requests,
        sum(r.reported_cost_nano_usd) AS reported,
        sum(round((r.cost_nano_usd + r.operator_cost_nano_usd)::numeric * 1000000 / r.price_ppm)) AS computed
      FROM requests r
      WHERE r.started_at >= ${since.toISOString()}::timestamptz AND r.state = 'settled'
        AND r.reported_cost_nano_usd IS NOT NULL AND r.price_ppm > 0 AND NOT r.estimated
        AND r.price_id IS NOT NULL AND r.price_mismatch IS NULL
        AND (r.operator_cost_nano_usd = 0 OR r.attempts IS NULL)
      GROUP BY 1, 2
    ) AS sums
    ORDER BY abs(sums.reported - sums.computed) DESC, 1, 2`);
  return [...rows];
}

/** True: rates or counting need a look. */
export function isDrifting({ driftPpm }: CostDrift): boolean {
  return Math.abs(driftPpm) > DRIFT_ALERT_PPM;
}
