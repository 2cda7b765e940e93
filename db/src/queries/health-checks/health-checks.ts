import { and, desc, eq, gt, gte, lt, sql } from 'drizzle-orm';
import { healthChecks } from '../../schema/health-checks.ts';
import type { Connection } from '../../transaction.ts';

/** The health checks of a route in one hour, as far as they are not stored yet. */
export interface HealthCheckCount {
  routeId: string;
  model: string;
  provider: string;
  /** Start of the hour. */
  hourMs: number;
  checks: number;
  failures: number;
  inputTokens: number;
  outputTokens: number;
  costNanoUsd: bigint;
  /** 0: no check has a result. */
  lastCheckedAtMs: number;
  /** null: the route answered. */
  lastError: string | null;
}

/** Adds counts to what is stored. Replicas may add to the same hour at the same time. */
export async function addHealthChecks(db: Connection, counts: readonly HealthCheckCount[]): Promise<void> {
  if (counts.length === 0) return;
  const rows = counts.map(({ costNanoUsd, ...rest }) => ({ ...rest, costNanoUsd: costNanoUsd.toString() }));
  // Two replicas that lock the rows in different orders would wait for each other.
  await db.drizzle.execute(sql`
    INSERT INTO health_checks AS known (route_id, model, hour, provider, checks, failures, input_tokens, output_tokens,
      cost_nano_usd, last_checked_at, last_error)
    SELECT "routeId", model, to_timestamp("hourMs" / 1000.0), provider, checks, failures, "inputTokens", "outputTokens",
      "costNanoUsd", to_timestamp("lastCheckedAtMs" / 1000.0), "lastError"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS given ("routeId" text, model text, "hourMs" float8,
      provider text, checks bigint, failures bigint, "inputTokens" bigint, "outputTokens" bigint, "costNanoUsd" bigint,
      "lastCheckedAtMs" float8, "lastError" text)
    ORDER BY 1, 2, 3
    ON CONFLICT (route_id, model, hour) DO UPDATE SET
      checks = known.checks + excluded.checks,
      failures = known.failures + excluded.failures,
      input_tokens = known.input_tokens + excluded.input_tokens,
      output_tokens = known.output_tokens + excluded.output_tokens,
      cost_nano_usd = known.cost_nano_usd + excluded.cost_nano_usd,
      last_error = CASE WHEN excluded.last_checked_at >= known.last_checked_at
        THEN excluded.last_error ELSE known.last_error END,
      last_checked_at = greatest(known.last_checked_at, excluded.last_checked_at)`);
}

/** The sums of a route's health checks. */
export interface HealthCheckCosts {
  model: string;
  routeId: string;
  provider: string;
  checks: number;
  failures: number;
  costNanoUsd: bigint;
}

/** Sums health checks by model and route, the largest cost first. @param since whole hours that began then or later */
export async function listHealthCheckCosts(db: Connection, since: Date): Promise<HealthCheckCosts[]> {
  const cost = sql<string>`sum(${healthChecks.costNanoUsd})::bigint`;
  const rows = await db.drizzle
    .select({
      model: healthChecks.model,
      routeId: healthChecks.routeId,
      provider: sql<string>`min(${healthChecks.provider})`,
      checks: sql<number>`sum(${healthChecks.checks})::float8`,
      failures: sql<number>`sum(${healthChecks.failures})::float8`,
      costNanoUsd: cost,
    })
    .from(healthChecks)
    .where(gte(healthChecks.hour, since))
    .groupBy(healthChecks.model, healthChecks.routeId)
    .orderBy(desc(cost), healthChecks.model, healthChecks.routeId);
  return rows.map((row) => ({ ...row, costNanoUsd: BigInt(row.costNanoUsd) }));
}

/** The newest health check of a route, by any replica. */
export interface LastHealthCheck {
  routeId: string;
  at: Date;
  /** null: the route answered. */
  error: string | null;
}

/** The newest health check of each route of a model that was checked. */
export async function listLastHealthChecks(db: Connection, modelId: string): Promise<LastHealthCheck[]> {
  return db.drizzle
    .selectDistinctOn([healthChecks.routeId], {
      routeId: healthChecks.routeId,
      at: healthChecks.lastCheckedAt,
      error: healthChecks.lastError,
    })
    .from(healthChecks)
    .where(and(eq(healthChecks.model, modelId), gt(healthChecks.lastCheckedAt, new Date(0))))
    .orderBy(healthChecks.routeId, desc(healthChecks.hour));
}

/** Deletes hours that began before `before`. */
export async function deleteOldHealthChecks(db: Connection, before: Date): Promise<void> {
  await db.drizzle.delete(healthChecks).where(lt(healthChecks.hour, before));
}
