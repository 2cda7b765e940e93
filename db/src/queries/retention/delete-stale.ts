import { RETENTION_KINDS, type RetentionKind } from '@tollgate/core/requests/retention';
import { inArray, sql } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import type { Connection } from '../../transaction.ts';
import { getRetentionCutoff } from './retention-setting.ts';
import { RETENTION_ENTRIES, RETENTION_TABLE } from './retention-table.ts';

/** Rows per transaction, few enough not to block others. */
const AT_A_TIME = 500;

interface StaleQuery {
  accountId: string;
  now: Date;
}

/** Deletes data past its retention, and all data of an account that stores none. @returns how many rows */
export async function deleteStale(db: Connection, kind: RetentionKind, query: StaleQuery): Promise<number> {
  const { accountId, now } = query;
  const cutoff = sql`(SELECT coalesce(${getRetentionCutoff(kind, now)}, 'infinity') FROM ${accounts} WHERE ${accounts.id} = ${accountId})`;
  let total = 0;
  for (const { table, accountId: owner, id, at } of RETENTION_TABLE[kind].tables)
    for (;;) {
      // Both conditions: a conversation may have changed since it was found.
      const deleted = await db.drizzle.execute(sql`
        DELETE FROM ${table} WHERE ${owner} = ${accountId} AND ${at} < ${cutoff} AND ${id} IN (
          SELECT ${id} FROM ${table} WHERE ${owner} = ${accountId} AND ${at} < ${cutoff}
          ORDER BY ${at} LIMIT ${AT_A_TIME})`);
      total += deleted.count;
      if (deleted.count < AT_A_TIME) break;
    }
  return total;
}

/** The same for every kind, and every account that has any stored. */
export async function deleteAllStale(db: Connection, now: Date): Promise<void> {
  for (const kind of RETENTION_KINDS)
    for (const accountId of await listHolders(db, kind)) await deleteStale(db, kind, { accountId, now });
}

/** Turns storing off for accounts that are deleted, and deletes everything that they have stored. */
export async function deleteAllStored(db: Connection, accountIds: string[]): Promise<void> {
  const columns = RETENTION_ENTRIES.flatMap(({ days, since }) => [days, since]);
  const cleared = columns.map((column) => sql`${sql.identifier(column.name)} = NULL`);
  await db.drizzle.execute(
    sql`UPDATE ${accounts} SET ${sql.join(cleared, sql`, `)} WHERE ${inArray(accounts.id, accountIds)}`,
  );
  for (const { table, accountId } of RETENTION_ENTRIES.flatMap(({ tables }) => tables))
    await db.drizzle.delete(table).where(inArray(accountId, accountIds));
}

/** The accounts that have data of a kind: one look into the index for each, however much it has stored. */
async function listHolders(db: Connection, kind: RetentionKind): Promise<ReadonlySet<string>> {
  const holders = new Set<string>();
  for (const { table, accountId } of RETENTION_TABLE[kind].tables) {
    const column = sql.identifier(accountId.name);
    const rows = await db.drizzle.execute<{ id: string }>(sql`
      WITH RECURSIVE holder (id) AS (
        SELECT min(${column}) FROM ${table}
        UNION ALL
        SELECT (SELECT min(${column}) FROM ${table} WHERE ${column} > holder.id)
        FROM holder WHERE holder.id IS NOT NULL
      )
      SELECT id FROM holder WHERE id IS NOT NULL`);
    for (const { id } of rows) holders.add(id);
  }
  return holders;
}
