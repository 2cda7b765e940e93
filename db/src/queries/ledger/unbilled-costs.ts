import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';

/** What providers may charge for requests of one model and route beyond the billed amount. */
export interface UnbilledCosts {
  model: string;
  /** The route that was called last; null: the route of the requests is not known. */
  routeId: string | null;
  provider: string | null;
  /** Requests with unbilled cost. */
  requests: number;
  unbilledNanoUsd: bigint;
}

/**
 * Sums unbilled cost by model and route, the largest sum first.
 * @param since of requests that started then or later
 */
export async function listUnbilledCosts(db: Connection, since: Date): Promise<UnbilledCosts[]> {
  const rows = await db.drizzle.execute<UnbilledCosts & Record<string, unknown>>(sql`
    SELECT coalesce(r.model, '') AS model, r.route_id AS "routeId", min(r.provider) AS provider,
      count(*)::float8 AS requests, sum(r.operator_cost_nano_usd)::bigint AS "unbilledNanoUsd"
    FROM requests r
    WHERE r.started_at >= ${since.toISOString()}::timestamptz AND r.state = 'settled' AND r.operator_cost_nano_usd > 0
    GROUP BY 1, 2
    ORDER BY 5 DESC, 1, 2`);
  return [...rows];
}
