import { inArray, lt, sql } from 'drizzle-orm';
import { throttles } from '../../schema/throttles.ts';
import type { Connection } from '../../transaction.ts';

export interface ThrottleHit {
  /** Hash of the counted thing. */
  bucket: string;
  /** Hits that pass in one window. */
  limit: number;
  windowMs: number;
  nowMs: number;
}

/**
 * Counts one attempt in a window that begins with its first attempt. Atomic, so that attempts sent together are
 * counted one by one; refused ones do not make the window longer.
 */
export async function hitThrottle(
  db: Connection,
  hit: ThrottleHit,
): Promise<{ ok: true } | { ok: false; retryAfterSeconds: number }> {
  const now = new Date(hit.nowMs);
  const oldest = new Date(hit.nowMs - hit.windowMs);
  const isOver = sql`${throttles.windowStartedAt} <= ${oldest.toISOString()}`;
  const [row] = await db.drizzle
    .insert(throttles)
    .values({ bucket: hit.bucket, windowStartedAt: now, hits: 1 })
    .onConflictDoUpdate({
      target: throttles.bucket,
      set: {
        hits: sql`CASE WHEN ${isOver} THEN 1 ELSE least(${throttles.hits} + 1, ${hit.limit + 1}) END`,
        windowStartedAt: sql`CASE WHEN ${isOver} THEN excluded.window_started_at ELSE ${throttles.windowStartedAt} END`,
      },
    })
    .returning();
  if (row === undefined) throw new Error('INSERT INTO throttles returned no row');
  if (row.hits <= hit.limit) return { ok: true };
  const endsMs = row.windowStartedAt.getTime() + hit.windowMs;
  return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil((endsMs - hit.nowMs) / 1000)) };
}

/** Resets counters, e.g. after a successful sign-in. */
export async function clearThrottles(db: Connection, buckets: string[]): Promise<void> {
  await db.drizzle.delete(throttles).where(inArray(throttles.bucket, buckets));
}

/** Deletes the windows that began before `before`, which must be longer ago than the longest window. */
export async function deleteOldThrottles(db: Connection, before: Date): Promise<void> {
  await db.drizzle.delete(throttles).where(lt(throttles.windowStartedAt, before));
}
