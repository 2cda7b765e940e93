import { sql, type SQL } from 'drizzle-orm';
import type { Database } from '../../client.ts';
import { inTransaction, type Connection } from '../../transaction.ts';

/** Keys per run; the rest waits for the next run. */
const AT_ONCE = 500;

/**
 * Moves what a replaced key has not spent at its end to the new key, and notifies the replicas. Requests still in flight
 * keep their holds: what they release moves in a later run.
 * @returns the number of keys whose budget moved
 */
export async function passOnLeftovers(db: Database, nowMs: number): Promise<number> {
  const rows = await db.drizzle.execute<{ id: string; replacement: string }>(sql`
    SELECT k.id, s.id AS replacement ${fromLeftovers(nowMs)} LIMIT ${AT_ONCE}`);
  for (const { id, replacement: newKeyId } of rows) {
    await inTransaction(db, (tx) => passOn(tx, id, newKeyId));
  }
  return rows.length;
}

/** Whether {@link passOnLeftovers} would move anything. */
export function hasLeftovers(nowMs: number): SQL {
  return sql`EXISTS (SELECT 1 ${fromLeftovers(nowMs)})`;
}

function fromLeftovers(nowMs: number): SQL {
  return sql`
    FROM api_keys s
    JOIN api_keys k ON k.id = s.successor_of
    JOIN key_totals t ON t.key_id = k.id
    WHERE s.successor_of IS NOT NULL AND ${hasEnded(nowMs)}
      AND k.max_budget_nano_usd - t.spent_nano_usd - t.held_nano_usd > 0`;
}

function hasEnded(nowMs: number) {
  return sql`(k.revoked_at IS NOT NULL OR least(k.expires_at, k.ends_at) <= ${new Date(nowMs).toISOString()})`;
}

async function passOn(tx: Connection, id: string, newKeyId: string): Promise<void> {
  // In the order in which the ledger locks them, so that neither waits for the other.
  await tx.drizzle.execute(sql`
    SELECT 1 FROM key_totals WHERE key_id IN (${id}, ${newKeyId}) ORDER BY key_id FOR NO KEY UPDATE`);
  await tx.drizzle.execute(sql`
    WITH left_over AS (
      SELECT k.max_budget_nano_usd - t.spent_nano_usd - t.held_nano_usd AS amount
      FROM api_keys k JOIN key_totals t ON t.key_id = k.id WHERE k.id = ${id}
    )
    UPDATE key_totals t SET
      spent_nano_usd = t.spent_nano_usd + CASE WHEN t.key_id = ${id} THEN l.amount ELSE -l.amount END,
      carried_nano_usd = t.carried_nano_usd + CASE WHEN t.key_id = ${id} THEN l.amount ELSE -l.amount END
    FROM left_over l
    WHERE t.key_id IN (${id}, ${newKeyId}) AND l.amount > 0`);
  await tx.drizzle.execute(sql`
    SELECT pg_notify('tollgate_changes', 'key ' || encode(hash, 'hex') || ' ' || account_id)
    FROM api_keys WHERE id = ${newKeyId}`);
}
