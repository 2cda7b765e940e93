import { sql } from 'drizzle-orm';
import { providerHourly } from '../../../schema/provider-usage.ts';
import type { Connection } from '../../../transaction.ts';
import { computeSums } from '../report/group-times.ts';
import { getBucket, type UsageBucket } from '../report/periods.ts';

/** Whole hours that begin in a period. */
export interface HourRange {
  from: Date;
  /** The first moment that no longer counts. */
  to: Date;
}

/** Requests of all accounts at one provider, with one model. */
export interface ProviderFigures {
  /** '': no provider was called. */
  provider: string;
  /** '': the model was never known. */
  model: string;
  requests: number;
  /** Failed requests, without requests that the caller aborted. */
  errors: number;
  chargedNanoUsd: bigint;
  /** With unbilled cost, without health checks. */
  providerCostNanoUsd: bigint;
  /** Costs that the provider reported, and what our rates give for the same requests. */
  reportedNanoUsd: bigint;
  computedNanoUsd: bigint;
  /** How many requests took how long, between which `LATENCY_BOUNDS_MS`. */
  latency: number[];
  firstByte: number[];
}

/** The figures of every provider and model, the largest number of requests first. */
export async function listProviderFigures(db: Connection, range: HourRange): Promise<ProviderFigures[]> {
  const rows = await db.drizzle.execute<
    Record<keyof ProviderFigures, string> & { latency: number[]; firstByte: number[] }
  >(sql`
    SELECT provider, model, sum(requests)::text AS requests, sum(errors)::text AS errors,
      sum(charged_nano_usd)::text AS "chargedNanoUsd", sum(provider_cost_nano_usd)::text AS "providerCostNanoUsd",
      sum(reported_nano_usd)::text AS "reportedNanoUsd", sum(computed_nano_usd)::text AS "computedNanoUsd",
      ${computeSums(sql`latency_counts`)} AS latency, ${computeSums(sql`first_byte_counts`)} AS "firstByte"
    FROM ${providerHourly} WHERE ${isIn(range)}
    GROUP BY provider, model HAVING sum(requests) > 0
    ORDER BY sum(requests) DESC, provider, model`);
  return rows.map((row) => ({
    provider: row.provider,
    model: row.model,
    requests: Number(row.requests),
    errors: Number(row.errors),
    chargedNanoUsd: BigInt(row.chargedNanoUsd),
    providerCostNanoUsd: BigInt(row.providerCostNanoUsd),
    reportedNanoUsd: BigInt(row.reportedNanoUsd),
    computedNanoUsd: BigInt(row.computedNanoUsd),
    latency: row.latency,
    firstByte: row.firstByte,
  }));
}

/** Names of all providers, and of removed ones that had requests since a time. */
export async function listProviderNames(db: Connection, since: Date): Promise<string[]> {
  const rows = await db.drizzle.execute<{ name: string }>(sql`
    SELECT name FROM providers
    UNION
    SELECT provider FROM ${providerHourly} WHERE hour >= ${since.toISOString()}::timestamptz AND provider <> ''
    ORDER BY 1`);
  return rows.map(({ name }) => name);
}

/** The figures of one bucket of time, or of a whole period. */
export interface InstallationFigures {
  requests: number;
  errors: number;
  chargedNanoUsd: bigint;
  /** With unbilled cost and health checks. */
  providerCostNanoUsd: bigint;
}

/** Figures by bucket, in no order; buckets without any are absent. */
export async function readInstallationSeries(
  db: Connection,
  query: { range: HourRange; bucket: UsageBucket; timeZone: string },
): Promise<(InstallationFigures & { startMs: number })[]> {
  const rows = await db.drizzle.execute<Record<keyof InstallationFigures | 'startMs', string>>(sql`
    SELECT (${getBucket(query.bucket, query.timeZone)})::text AS "startMs", ${SUMS}
    FROM ${withChecks(query.range)} GROUP BY 1`);
  return rows.map((row) => ({ startMs: Number(row.startMs), ...toFigures(row) }));
}

/** The sum of a period. */
export async function readInstallationFigures(
  db: Connection,
  range: HourRange,
): Promise<InstallationFigures> {
  const [row] = await db.drizzle.execute<Record<keyof InstallationFigures, string>>(
    sql`SELECT ${SUMS} FROM ${withChecks(range)}`,
  );
  if (row === undefined) throw new Error('A sum came back without a row');
  return toFigures(row);
}

const SUMS = sql`coalesce(sum(requests), 0)::text AS requests, coalesce(sum(errors), 0)::text AS errors,
  coalesce(sum(charged), 0)::text AS "chargedNanoUsd", coalesce(sum(cost), 0)::text AS "providerCostNanoUsd"`;

/** Health checks cost money at providers, and are no requests. */
function withChecks(range: HourRange) {
  return sql`(
    SELECT hour, requests, errors, charged_nano_usd AS charged, provider_cost_nano_usd AS cost
    FROM ${providerHourly} WHERE ${isIn(range)}
    UNION ALL
    SELECT hour, 0, 0, 0, cost_nano_usd FROM health_checks WHERE ${isIn(range)}) AS hours`;
}

function isIn({ from, to }: HourRange) {
  return sql`hour >= ${from.toISOString()}::timestamptz AND hour < ${to.toISOString()}::timestamptz`;
}

function toFigures(row: Record<keyof InstallationFigures, string>): InstallationFigures {
  return {
    requests: Number(row.requests),
    errors: Number(row.errors),
    chargedNanoUsd: BigInt(row.chargedNanoUsd),
    providerCostNanoUsd: BigInt(row.providerCostNanoUsd),
  };
}

/** What health checks cost in a period. */
export async function readHealthCheckCost(db: Connection, range: HourRange): Promise<bigint> {
  const [row] = await db.drizzle.execute<{ cost: string }>(
    sql`SELECT coalesce(sum(cost_nano_usd), 0)::text AS cost FROM health_checks WHERE ${isIn(range)}`,
  );
  return BigInt(row?.cost ?? '0');
}
