import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';

/** True if the database answers in time; a health check must not hang with it. */
export async function isReachable(db: Connection, timeoutMs = 2000): Promise<boolean> {
  const query = db.drizzle.execute(sql`SELECT 1`).then(
    () => true,
    () => false,
  );
  return Promise.race([query, sleep(timeoutMs, false, { ref: false })]);
}
