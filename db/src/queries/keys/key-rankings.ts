import { sql, type SQL } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';

/** Most holds are settled in the hour of their request. */
const RECENT_HOURS_MS = 2 * 3_600_000;

/**
 * Copies the spend and last use of keys to indexed columns for sorting; the totals themselves, which
 * every settlement writes, have no such index. A list shows the totals, and only its order is as old as this copy.
 * @param which `recent`: keys with a request that began in these two hours; `all`: also keys with later settlements
 * @returns the number of keys that changed
 */
export async function refreshKeyStandings(
  db: Connection,
  which: 'recent' | 'all',
  nowMs: number,
): Promise<number> {
  const isMeant: SQL =
    which === 'all' ? sql`true` : sql`t.key_id IN (SELECT key_id ${fromRecentUsage(nowMs)})`;
  const moved = await db.drizzle.execute(sql`
    WITH moved AS (
      SELECT t.key_id, t.spent_nano_usd - t.carried_nano_usd AS spent, coalesce(t.last_used_at, '-infinity') AS used
      FROM key_totals t WHERE ${isMeant}
    ), held AS (
      -- In one order, so that two processes that do this never wait for each other.
      SELECT s.key_id, moved.spent, moved.used FROM key_standings s JOIN moved USING (key_id)
      WHERE s.spent_nano_usd <> moved.spent OR s.last_used_at <> moved.used
      ORDER BY s.key_id FOR UPDATE OF s
    )
    UPDATE key_standings s SET spent_nano_usd = held.spent, last_used_at = held.used
    FROM held WHERE s.key_id = held.key_id`);
  return moved.count;
}

/** Whether a key has a request that began in these two hours. */
export function hasRecentUsage(nowMs: number): SQL {
  return sql`EXISTS (SELECT 1 ${fromRecentUsage(nowMs)})`;
}

function fromRecentUsage(nowMs: number): SQL {
  const since = new Date(nowMs - RECENT_HOURS_MS).toISOString();
  return sql`FROM usage_hourly WHERE hour >= ${since}::timestamptz`;
}
