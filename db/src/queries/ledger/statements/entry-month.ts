import { CLOSING_MS } from '@tollgate/core/money/statement-month';
import { sql, type SQL } from 'drizzle-orm';

const CLOSING_SECONDS = CLOSING_MS / 1000;

/**
 * The time that decides to which month's statement an entry belongs. It depends on the entry alone, so an entry never
 * moves to another month:
 * - usage belongs to the hour in which it began, if it was posted before its month was final;
 * - all other entries, and later corrections of usage, belong to the time at which they were posted.
 *
 * It is never after the posting, and at most a month and `CLOSING_MS` before it.
 */
export const STATEMENT_TIME: SQL = sql.raw(`(CASE
  WHEN kind = 'usage' AND usage_hour <= at AND at < ((date_trunc('month', usage_hour AT TIME ZONE 'UTC')
    + interval '1 month') AT TIME ZONE 'UTC') + interval '${CLOSING_SECONDS} seconds' THEN usage_hour
  ELSE at END)`);

/** Change of the balance by an entry, with its sign. */
export const CHANGE: SQL = sql.raw(
  `(CASE WHEN credit = 'wallet' THEN amount_nano_usd ELSE -amount_nano_usd END)`,
);

/** Restricts entries of an account to a range of `STATEMENT_TIME`; the range of `at` lets an index be used. */
export function isInRange({ from, to }: { from: Date | null; to: Date }): SQL {
  const posted = new Date(to.getTime() + CLOSING_MS);
  const isBefore = sql`at < ${posted.toISOString()}::timestamptz AND ${STATEMENT_TIME} < ${to.toISOString()}::timestamptz`;
  if (from === null) return isBefore;
  const start = sql`${from.toISOString()}::timestamptz`;
  return sql`at >= ${start} AND ${STATEMENT_TIME} >= ${start} AND ${isBefore}`;
}
