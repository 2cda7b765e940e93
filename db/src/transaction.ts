import type { Database } from './client.ts';

/** The pool, or a transaction on it. */
export type Connection = Pick<Database, 'drizzle'>;

/** Runs `work` in one transaction; what it throws rolls everything back. */
export async function inTransaction<T>(
  db: Connection,
  work: (transaction: Connection) => Promise<T>,
): Promise<T> {
  return db.drizzle.transaction((tx) => work({ drizzle: tx }));
}
