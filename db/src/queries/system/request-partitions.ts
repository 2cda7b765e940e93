import type { Database } from '../../client.ts';

/** Makes sure that the months to come have their partition of `requests`. */
export async function ensureRequestPartitions(db: Database, monthsAhead: number): Promise<void> {
  await db.sql`SELECT ensure_request_partitions(${monthsAhead})`;
}
