import { sql } from 'drizzle-orm';
import type { Connection } from '../../../transaction.ts';

export interface FirstSteps {
  hasKey: boolean;
  /** True once a request was answered in full. */
  hasSucceeded: boolean;
}

/** How far an account has come. */
export async function readFirstSteps(db: Connection, accountId: string): Promise<FirstSteps> {
  const [row] = await db.drizzle.execute<{ has_key: boolean; has_succeeded: boolean }>(sql`
    SELECT EXISTS (SELECT FROM api_keys WHERE account_id = ${accountId}) AS has_key,
      EXISTS (SELECT FROM usage_hourly WHERE account_id = ${accountId} AND requests > errors) AS has_succeeded`);
  if (row === undefined) throw new Error('A SELECT without FROM returned no row');
  return { hasKey: row.has_key, hasSucceeded: row.has_succeeded };
}
