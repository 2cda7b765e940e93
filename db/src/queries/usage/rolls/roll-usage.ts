import { sql } from 'drizzle-orm';
import { usageRolled } from '../../../schema/usage-rolls.ts';
import { inTransaction, type Connection } from '../../../transaction.ts';
import { redoLateHours } from './late-hours.ts';
import { getDay, rollDays, rollHours } from './roll-sums.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * How long after its end an hour is rolled up. A settlement marks its hour sooner (`LATE_AFTER_MS`): between the two there
 * is room for clocks that differ, and for a transaction that takes its time.
 */
const ROLLED_AFTER_MS = 3 * HOUR_MS;

/**
 * Sums up the hours that ended some hours ago, changed hours first. One transaction
 * for each day at most; does nothing if another process is doing it.
 */
export async function rollUsage(db: Connection, nowMs: number): Promise<void> {
  const bound = new Date(Math.floor((nowMs - ROLLED_AFTER_MS) / HOUR_MS) * HOUR_MS);
  let hasMore = true;
  while (hasMore) hasMore = await inTransaction(db, (tx) => rollStep(tx, bound));
}

/** @returns true if more hours remain */
async function rollStep(tx: Connection, bound: Date): Promise<boolean> {
  const [row] = await tx.drizzle.execute<{ until: string }>(
    sql`SELECT until FROM ${usageRolled} FOR UPDATE SKIP LOCKED`,
  );
  if (row === undefined) return false;
  const until = new Date(row.until);
  if (await redoLateHours(tx, until)) return true;
  const from = until.getTime() === 0 ? await findFirstDay(tx) : until;
  if (from === null || from >= bound) return false;
  const to = new Date(Math.min(getDay(from).getTime() + DAY_MS, bound.getTime()));
  await rollHours(tx, from, to);
  if (getDay(to) > getDay(from)) await rollDays(tx, getDay(from), to);
  await tx.drizzle.execute(sql`UPDATE ${usageRolled} SET until = ${to.toISOString()}::timestamptz`);
  return to < bound;
}

/** The day of the first use; null if the installation was never used. */
async function findFirstDay(tx: Connection): Promise<Date | null> {
  const [row] = await tx.drizzle.execute<{ first: string | null }>(
    sql`SELECT min(hour) AS first FROM usage_hourly`,
  );
  const first = row?.first ?? null;
  return first === null ? null : getDay(new Date(first));
}
