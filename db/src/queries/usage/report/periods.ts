import { sql } from 'drizzle-orm';
import type { Connection } from '../../../transaction.ts';

export const USAGE_BUCKETS = ['hour', 'day', 'month'] as const;
export type UsageBucket = (typeof USAGE_BUCKETS)[number];

/** A number of days or calendar months, the running one included; or days of the reader's calendar, both included. */
export type UsageSpan =
  | { kind: 'days'; days: number }
  | { kind: 'months'; months: number }
  | { kind: 'dates'; from: string; to: string };

export interface UsagePeriod {
  from: Date;
  /** The first moment that is no longer in it. */
  to: Date;
  /** When its buckets begin, the oldest first; the first may begin before `from`. */
  starts: Date[];
}

export interface UsagePeriods {
  current: UsagePeriod;
  /** The preceding period of the same length; for a running period, up to the same hour. */
  previous: UsagePeriod;
}

/** How PostgreSQL says `invalid_parameter_value`. */
const INVALID_PARAMETER = '22023';

/** True if the database knows the zone: its list may be older or newer than the reader's. */
export async function isKnownTimeZone(db: Connection, timeZone: string): Promise<boolean> {
  try {
    await db.drizzle.execute(sql`SELECT now() AT TIME ZONE ${timeZone}`);
    return true;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    if (cause instanceof Error && 'code' in cause && cause.code === INVALID_PARAMETER) return false;
    throw error;
  }
}

/** @returns the time zone if the database knows it, otherwise UTC */
export async function findTimeZone(db: Connection, timeZone: string): Promise<string> {
  return (await isKnownTimeZone(db, timeZone)) ? timeZone : 'UTC';
}

/**
 * Start and end of a span in a time zone, and its buckets: a day has 23 hours when clocks are put
 * forward. Usage is kept by the hour of UTC, so if days begin at half past, an hour counts to the day in which it begins.
 * @param query.timeZone one that the database knows
 */
export async function findUsagePeriods(
  db: Connection,
  query: { span: UsageSpan; bucket: UsageBucket; timeZone: string; nowMs: number },
): Promise<UsagePeriods> {
  const { bucket, timeZone, nowMs } = query;
  const periods = await db.drizzle.execute<{ name: string; edges: PeriodEdges }>(sql`
    WITH clock AS (SELECT to_timestamp(${nowMs}::float8 / 1000) AS now, ${timeZone}::text AS zone),
    today AS (SELECT now, zone, date_trunc('day', now AT TIME ZONE zone) AS midnight FROM clock),
    span AS (SELECT now, zone, ${getEdges(query.span)} FROM today),
    local AS (SELECT *, ${getLength(query.span)} AS length FROM span),
    periods AS (
      SELECT 'current' AS name, zone, first AT TIME ZONE zone AS begins, last AT TIME ZONE zone AS ends FROM local
      UNION ALL
      SELECT 'previous', zone, (first - length) AT TIME ZONE zone,
        least(first AT TIME ZONE zone,
          date_trunc('hour', (now AT TIME ZONE zone - length) AT TIME ZONE zone) + interval '1 hour')
      FROM local)
    SELECT name, json_build_object(
      'from', extract(epoch FROM begins) * 1000, 'to', extract(epoch FROM ends) * 1000,
      'starts', array(SELECT extract(epoch FROM start) * 1000 FROM ${getStarts(bucket)} AS listed (start))) AS edges
    FROM periods`);
  const find = (name: string) => toPeriod(periods.find((period) => period.name === name)?.edges);
  return { current: find('current'), previous: find('previous') };
}

/** SQL of a row's bucket; the same for every row of it. */
export function getBucket(bucket: UsageBucket, timeZone: string) {
  const start = bucket === 'hour' ? sql`hour` : sql`date_trunc(${bucket}, hour, ${timeZone})`;
  return sql<number>`extract(epoch FROM ${start}) * 1000`.mapWith(Number);
}

/** In milliseconds since 1970. */
interface PeriodEdges {
  from: number;
  to: number;
  starts: number[];
}

function getEdges(span: UsageSpan) {
  switch (span.kind) {
    case 'days':
      return sql`midnight - make_interval(days => ${span.days - 1}::int) AS first, midnight + interval '1 day' AS last`;
    case 'months':
      return sql`date_trunc('month', midnight) - make_interval(months => ${span.months - 1}::int) AS first,
        midnight + interval '1 day' AS last`;
    case 'dates':
      return sql`${span.from}::timestamp AS first, ${span.to}::timestamp + interval '1 day' AS last`;
  }
}

function getLength(span: UsageSpan) {
  return span.kind === 'months' ? sql`make_interval(months => ${span.months}::int)` : sql`last - first`;
}

function getStarts(bucket: UsageBucket) {
  switch (bucket) {
    case 'hour':
      // The first whole hour of UTC.
      return sql`generate_series(date_trunc('hour', begins - interval '1 microsecond') + interval '1 hour',
        ends - interval '1 microsecond', interval '1 hour')`;
    case 'day':
    case 'month':
      return sql`(SELECT midnight AT TIME ZONE zone FROM generate_series(
        date_trunc(${bucket}, begins AT TIME ZONE zone), ends AT TIME ZONE zone - interval '1 microsecond',
        ${bucket === 'day' ? sql`interval '1 day'` : sql`interval '1 month'`}) AS midnight)`;
  }
}

function toPeriod(edges: PeriodEdges | undefined): UsagePeriod {
  if (edges === undefined) throw new Error('The periods came back without a row');
  const { from, to, starts } = edges;
  return { from: new Date(from), to: new Date(to), starts: starts.map((start) => new Date(start)) };
}
