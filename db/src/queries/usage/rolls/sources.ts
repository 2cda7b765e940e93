import { sql, type SQL } from 'drizzle-orm';
import type { Connection } from '../../../transaction.ts';

const DAY_MS = 86_400_000;
const FIGURES =
  'requests, errors, input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, output_tokens, cost_nano_usd';
const TIMES = 'latency_counts, first_byte_counts';

interface SumsOptions {
  /** With the counts of how long requests took. */
  hasTimes: boolean;
}

function getFigures({ hasTimes }: SumsOptions): SQL {
  return sql.raw(hasTimes ? `${FIGURES}, ${TIMES}` : FIGURES);
}

/** Hours of some accounts. */
export interface Hours {
  accountIds: readonly string[];
  from: Date;
  /** Exclusive end; null: no end. */
  to: Date | null;
}

/**
 * How far usage is rolled up. It only moves forward, so a cached value is safe: later hours are read from
 * `usage_hourly`.
 */
export async function readRolledUntil(db: Connection): Promise<Date> {
  const [row] = await db.drizzle.execute<{ until: string }>(sql`SELECT until FROM usage_rolled`);
  if (row === undefined) throw new Error('usage_rolled has no row');
  return new Date(row.until);
}

/**
 * Usage of accounts by hour and model as a table `usage`, whatever the key: from the sums if they are current. Read in
 * one statement, it equals `usage_hourly`.
 */
export function usageOfAccounts(until: Date, range: Hours, options: SumsOptions): SQL {
  const columns = sql`account_id, hour, model, ${getFigures(options)}`;
  const [from, to] = [range.from, earlier(range.to, until)];
  const fresh = sql`SELECT ${columns} FROM usage_hourly
    WHERE ${isOwnedBy(range.accountIds)} AND ${isBetween('hour', later(range.from, until), range.to)}`;
  if (from >= to) return sql`(${fresh}) AS usage`;
  const isTheirs = sql`${isOwnedBy(range.accountIds)} AND ${isBetween('hour', from, to)}`;
  return sql`(
    SELECT ${columns} FROM usage_account_hourly r
    WHERE ${isTheirs} AND NOT EXISTS (
      SELECT FROM usage_late_hours l WHERE l.account_id = r.account_id AND l.hour = r.hour)
    UNION ALL
    SELECT ${columns} FROM usage_hourly JOIN (
      SELECT DISTINCT account_id, hour FROM usage_late_hours WHERE ${isTheirs}) AS late USING (account_id, hour)
    UNION ALL ${fresh}) AS usage`;
}

/** As {@link usageOfAccounts}, by key and model, whatever the hour. */
export function usageOfKeys(until: Date, range: Hours, options: SumsOptions): SQL {
  const columns = sql`account_id, key_id, model, ${getFigures(options)}`;
  const ofHours = (from: Date, to: Date | null) => sql`SELECT ${columns} FROM usage_hourly
    WHERE ${isOwnedBy(range.accountIds)} AND ${isBetween('hour', from, to)}`;
  const firstDay = new Date(Math.ceil(range.from.getTime() / DAY_MS) * DAY_MS);
  const endOfDays = new Date(Math.floor(earlier(range.to, until).getTime() / DAY_MS) * DAY_MS);
  if (firstDay >= endOfDays) return sql`(${ofHours(range.from, range.to)}) AS usage`;
  return sql`(
    SELECT ${columns} FROM usage_key_daily r
    WHERE ${isOwnedBy(range.accountIds)} AND ${isBetween('day', firstDay, endOfDays)} AND NOT EXISTS (
      SELECT FROM usage_late_hours l
      WHERE l.account_id = r.account_id AND l.key_id = r.key_id
        AND l.hour >= r.day AND l.hour < r.day + interval '24 hours')
    UNION ALL
    SELECT ${columns} FROM (
      SELECT DISTINCT account_id, key_id, date_trunc('day', hour, 'UTC') AS day FROM usage_late_hours
      WHERE ${isOwnedBy(range.accountIds)} AND ${isBetween('hour', firstDay, endOfDays)}) AS late
    JOIN usage_hourly u USING (account_id, key_id)
    WHERE u.hour >= late.day AND u.hour < late.day + interval '24 hours'
    UNION ALL ${ofHours(range.from, firstDay)}
    UNION ALL ${ofHours(endOfDays, range.to)}) AS usage`;
}

/**
 * Charges of an account without a ledger entry yet; below zero if a charge was corrected. Hours that are
 * rolled up and not marked are in the ledger.
 */
export function getUnposted(until: Date, accountId: string): SQL<bigint> {
  const isTheirs = isOwnedBy([accountId]);
  return sql<bigint>`(SELECT coalesce(sum(charged_nano_usd - posted_nano_usd), 0) FROM (
    SELECT charged_nano_usd, posted_nano_usd FROM usage_hourly
    WHERE ${isTheirs} AND hour >= ${until.toISOString()}::timestamptz
    UNION ALL
    SELECT charged_nano_usd, posted_nano_usd FROM usage_hourly JOIN (
      SELECT DISTINCT account_id, hour FROM usage_late_hours
      WHERE ${isTheirs} AND hour < ${until.toISOString()}::timestamptz) AS late USING (account_id, hour)
  ) AS open)`.mapWith(BigInt);
}

function isOwnedBy(accountIds: readonly string[]): SQL {
  const [only] = accountIds;
  if (accountIds.length === 1) return sql`account_id = ${only}`;
  return sql`account_id IN (${sql.join(
    accountIds.map((id) => sql`${id}`),
    sql`, `,
  )})`;
}

function isBetween(column: 'hour' | 'day', from: Date, to: Date | null): SQL {
  const name = sql.raw(column);
  const isFrom = sql`${name} >= ${from.toISOString()}::timestamptz`;
  return to === null ? isFrom : sql`${isFrom} AND ${name} < ${to.toISOString()}::timestamptz`;
}

const earlier = (left: Date | null, right: Date) => (left !== null && left < right ? left : right);
const later = (left: Date, right: Date) => (left > right ? left : right);
