import { sql } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { storedResponses } from '../../schema/stored-responses.ts';
import type { Connection } from '../../transaction.ts';
import { getResponseCutoff } from './response-setting.ts';

/** Rows per transaction, few enough not to block others. */
const AT_A_TIME = 500;

/** Deletes responses past their retention, and all responses of accounts that store none. @returns how many */
export async function deleteStaleResponses(
  db: Connection,
  { accountId, now }: { accountId: string; now: Date },
): Promise<number> {
  const cutoff = sql`(SELECT coalesce(${getResponseCutoff(now)}, 'infinity') FROM ${accounts} WHERE ${accounts.id} = ${accountId})`;
  for (let total = 0; ;) {
    const deleted = await db.drizzle.execute(sql`
      DELETE FROM ${storedResponses} WHERE account_id = ${accountId} AND id IN (
        SELECT id FROM ${storedResponses} WHERE account_id = ${accountId} AND created_at < ${cutoff}
        ORDER BY created_at LIMIT ${AT_A_TIME})`);
    total += deleted.count;
    if (deleted.count < AT_A_TIME) return total;
  }
}

/** The same for every account that has any stored. */
export async function deleteAllStaleResponses(db: Connection, now: Date): Promise<void> {
  // One look into the index for each account, however much it has stored.
  const holders = await db.drizzle.execute<{ id: string }>(sql`
    WITH RECURSIVE holder (id) AS (
      SELECT min(account_id) FROM ${storedResponses}
      UNION ALL
      SELECT (SELECT min(account_id) FROM ${storedResponses} WHERE account_id > holder.id)
      FROM holder WHERE holder.id IS NOT NULL
    )
    SELECT id FROM holder WHERE id IS NOT NULL`);
  for (const { id } of holders) await deleteStaleResponses(db, { accountId: id, now });
}
