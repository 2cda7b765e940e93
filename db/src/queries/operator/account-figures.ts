import { sql, type SQL } from 'drizzle-orm';
import { accountDaily } from '../../schema/provider-usage.ts';
import type { Connection } from '../../transaction.ts';
import type { HourRange } from '../usage/providers/overview.ts';

const DAY_MS = 86_400_000;
/** Days over which the use of an account is averaged. */
const RECENT_DAYS = 7;

/** An account with much use in a period. */
export interface TopAccount {
  id: string;
  name: string;
  /** null: the owner was deleted. */
  ownerEmail: string | null;
  requests: number;
  /** Failed requests, without requests that the caller aborted. */
  errors: number;
  chargedNanoUsd: bigint;
}

/**
 * The accounts with the highest revenue in a period, then those with the most requests. Whole UTC days come from daily sums,
 * and only hours before the first of them from `usage_hourly`.
 * @param range ends in the running UTC day or later
 */
export async function listTopAccounts(
  db: Connection,
  { range, limit }: { range: HourRange; limit: number },
): Promise<TopAccount[]> {
  const firstDay = new Date(Math.ceil(range.from.getTime() / DAY_MS) * DAY_MS);
  const hours = sql`hour >= ${range.from.toISOString()}::timestamptz
    AND hour < least(${firstDay.toISOString()}::timestamptz, ${range.to.toISOString()}::timestamptz)`;
  const rows = await db.drizzle.execute<{
    id: string;
    name: string;
    owner_email: string | null;
    requests: string;
    errors: string;
    charged: string;
  }>(sql`
    WITH top AS (
      SELECT account_id, sum(requests) AS requests, sum(errors) AS errors, sum(charged_nano_usd) AS charged
      FROM (
        SELECT account_id, requests, errors, charged_nano_usd FROM ${accountDaily}
        WHERE day >= ${firstDay.toISOString()}::timestamptz AND day < ${range.to.toISOString()}::timestamptz
        UNION ALL
        SELECT account_id, requests, errors, charged_nano_usd FROM usage_hourly WHERE ${hours}
      ) AS parts
      GROUP BY account_id HAVING sum(requests) > 0
      ORDER BY charged DESC, requests DESC, account_id LIMIT ${limit}
    )
    SELECT a.id, a.name, ${ownerEmail(sql`a.id`)} AS owner_email, top.requests::text, top.errors::text,
      top.charged::text
    FROM top JOIN accounts a ON a.id = top.account_id
    ORDER BY top.charged DESC, top.requests DESC, a.id`);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    ownerEmail: row.owner_email,
    requests: Number(row.requests),
    errors: Number(row.errors),
    chargedNanoUsd: BigInt(row.charged),
  }));
}

/** An account that may soon have refused requests, or has many failed ones. */
export interface AccountAtRisk {
  id: string;
  name: string;
  /** null: the owner was deleted. */
  ownerEmail: string | null;
  /** Includes held amounts. */
  availableNanoUsd: bigint;
  /** Charge of a day: the average of 7 days, or today or yesterday if that is more; 0: its balance pays nothing. */
  dailyNanoUsd: bigint;
  /** Today and yesterday, in UTC. */
  requests: number;
  errors: number;
  isLowOnBalance: boolean;
  isFailing: boolean;
}

/** Limits from which an account is listed. */
export interface RiskLimits {
  /** The balance lasts for fewer days than this, at `dailyNanoUsd`. */
  days: number;
  /** Failed requests of today and yesterday: at least this many, */
  errors: number;
  /** and at least this part of all, in percent. */
  errorPercent: number;
}

/** Accounts at risk, the ones with the shortest time or the most failures first. Suspended accounts are left out. */
export async function listAccountsAtRisk(
  db: Connection,
  query: { now: Date; limits: RiskLimits; limit: number },
): Promise<{ accounts: AccountAtRisk[]; total: number }> {
  const { limits } = query;
  const today = new Date(Math.floor(query.now.getTime() / DAY_MS) * DAY_MS);
  const ago = (days: number) => sql`${new Date(today.getTime() - days * DAY_MS).toISOString()}::timestamptz`;
  const rows = await db.drizzle.execute<{
    id: string;
    name: string;
    owner_email: string | null;
    available: string;
    daily: string;
    requests: string;
    errors: string;
    is_low: boolean;
    is_failing: boolean;
    total: number;
  }>(sql`
    WITH recent AS (
      SELECT account_id,
        -- The average is of the time since the first of these days: an account may be new. Its use may also grow fast.
        greatest(
          sum(charged_nano_usd) * ${DAY_MS}::numeric
            / greatest(${query.now.getTime()}::numeric - extract(epoch FROM min(day)) * 1000, ${DAY_MS}),
          max(charged_nano_usd) FILTER (WHERE day >= ${ago(1)})) AS daily,
        coalesce(sum(requests) FILTER (WHERE day >= ${ago(1)}), 0) AS requests,
        coalesce(sum(errors) FILTER (WHERE day >= ${ago(1)}), 0) AS errors
      FROM ${accountDaily} WHERE day > ${ago(RECENT_DAYS)} GROUP BY account_id
    ), judged AS (
      SELECT a.id, a.name, b.available_nano_usd AS available, r.daily, r.requests, r.errors,
        r.daily > 0 AND b.available_nano_usd < r.daily * ${limits.days}::int AS is_low,
        r.errors >= ${limits.errors}::int AND r.errors * 100 >= r.requests * ${limits.errorPercent}::int AS is_failing
      FROM recent r
      JOIN accounts a ON a.id = r.account_id AND a.suspended_at IS NULL
      JOIN balances b ON b.account_id = r.account_id
    ), listed AS (
      SELECT *, count(*) OVER ()::int AS total FROM judged WHERE is_low OR is_failing
      ORDER BY is_low DESC, CASE WHEN is_low THEN available / daily END, errors DESC, id LIMIT ${query.limit}
    )
    SELECT listed.*, ${ownerEmail(sql`listed.id`)} AS owner_email, round(daily)::text AS daily
    FROM listed ORDER BY is_low DESC, CASE WHEN is_low THEN available / listed.daily END, errors DESC, id`);
  return {
    total: rows[0]?.total ?? 0,
    accounts: rows.map((row) => ({
      id: row.id,
      name: row.name,
      ownerEmail: row.owner_email,
      availableNanoUsd: BigInt(row.available),
      dailyNanoUsd: BigInt(row.daily),
      requests: Number(row.requests),
      errors: Number(row.errors),
      isLowOnBalance: row.is_low,
      isFailing: row.is_failing,
    })),
  };
}

function ownerEmail(accountId: SQL): SQL {
  return sql`(SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.account_id = ${accountId} AND m.role = 'owner' LIMIT 1)`;
}
