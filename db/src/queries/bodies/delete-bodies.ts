import { sql } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { requestBodies } from '../../schema/request-bodies.ts';
import type { Connection } from '../../transaction.ts';
import { getCutoff } from './body-setting.ts';

/** Rows per transaction, few enough not to block others. */
const AT_A_TIME = 500;

/** Deletes payloads past their retention, and all payloads of accounts without request logging. @returns how many */
export async function deleteStaleBodies(
  db: Connection,
  { accountId, now }: { accountId: string; now: Date },
): Promise<number> {
  const cutoff = sql`(SELECT coalesce(${getCutoff(now)}, 'infinity') FROM ${accounts} WHERE ${accounts.id} = ${accountId})`;
  for (let total = 0; ;) {
    const deleted = await db.drizzle.execute(sql`
      DELETE FROM ${requestBodies} WHERE account_id = ${accountId} AND request_id IN (
        SELECT request_id FROM ${requestBodies} WHERE account_id = ${accountId} AND started_at < ${cutoff}
        ORDER BY started_at LIMIT ${AT_A_TIME})`);
    total += deleted.count;
    if (deleted.count < AT_A_TIME) return total;
  }
}

/** The same for every account that has any stored. */
export async function deleteAllStaleBodies(db: Connection, now: Date): Promise<void> {
  // One look into the index for each account, however much it has stored.
  const holders = await db.drizzle.execute<{ id: string }>(sql`
    WITH RECURSIVE holder (id) AS (
      SELECT min(account_id) FROM ${requestBodies}
      UNION ALL
      SELECT (SELECT min(account_id) FROM ${requestBodies} WHERE account_id > holder.id)
      FROM holder WHERE holder.id IS NOT NULL
    )
    SELECT id FROM holder WHERE id IS NOT NULL`);
  for (const { id } of holders) await deleteStaleBodies(db, { accountId: id, now });
}
