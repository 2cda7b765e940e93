import type { RetentionKind } from '@tollgate/core/requests/retention';
import { eq, sql, type SQL } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import { RETENTION_TABLE } from './retention-table.ts';

/** An account's retention of stored data, and the time since when it is stored. */
export interface RetentionSetting {
  retentionDays: number;
  since: Date;
}

export interface RetentionChange {
  accountId: string;
  /** null: the command line. */
  actorUserId: string | null;
}

/** What is older is neither shown nor kept; null if the account stores none. */
export function getRetentionCutoff(kind: RetentionKind, now: Date): SQL {
  const { days, since } = RETENTION_TABLE[kind];
  // greatest() ignores null, so each of the two must be set.
  return sql`CASE WHEN ${since} IS NULL THEN NULL ELSE greatest(${since},
    ${now.toISOString()}::timestamptz - make_interval(days => ${days})) END`;
}

/** @returns null if the account stores none */
export async function findRetention(
  db: Connection,
  kind: RetentionKind,
  accountId: string,
): Promise<RetentionSetting | null> {
  const { days, since } = await readSetting(db, kind, accountId, sql``);
  return days === null || since === null ? null : { retentionDays: days, since };
}

/** Sets the retention, including of what is stored already; the trigger of accounts notifies every replica. */
export async function keepStored(
  db: Connection,
  kind: RetentionKind,
  change: RetentionChange & { retentionDays: number; now: Date },
): Promise<void> {
  const { accountId, actorUserId, retentionDays, now } = change;
  await inTransaction(db, async (tx) => {
    const setting = await readSetting(tx, kind, accountId, FOR_UPDATE);
    if (!setting.exists || setting.days === retentionDays) return;
    await writeSetting(tx, kind, accountId, { days: retentionDays, since: setting.since ?? now });
    await recordAudit(tx, {
      actorUserId,
      accountId,
      action: RETENTION_TABLE[kind].actions.keep,
      subject: accountId,
      detail: { from: setting.days, days: retentionDays },
    });
  });
}

/** Turns storing off; what is stored is not shown any more, and remains to be deleted. */
export async function stopKeepingStored(
  db: Connection,
  kind: RetentionKind,
  { accountId, actorUserId }: RetentionChange,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { days } = await readSetting(tx, kind, accountId, FOR_UPDATE);
    if (days === null) return;
    await writeSetting(tx, kind, accountId, { days: null, since: null });
    const action = RETENTION_TABLE[kind].actions.stop;
    await recordAudit(tx, { actorUserId, accountId, action, subject: accountId });
  });
}

const FOR_UPDATE = sql`FOR NO KEY UPDATE`;

interface StoredSetting {
  days: number | null;
  since: Date | null;
}

async function readSetting(
  db: Connection,
  kind: RetentionKind,
  accountId: string,
  lock: SQL,
): Promise<StoredSetting & { exists: boolean }> {
  const { days, since } = RETENTION_TABLE[kind];
  const [row] = await db.drizzle.execute<{ days: number | null; sinceMs: string | null }>(sql`
    SELECT ${days} AS days, (extract(epoch FROM ${since}) * 1000)::text AS "sinceMs"
    FROM ${accounts} WHERE ${eq(accounts.id, accountId)} ${lock}`);
  const { days: found, sinceMs } = row ?? { days: null, sinceMs: null };
  return {
    exists: row !== undefined,
    days: found,
    since: sinceMs === null ? null : new Date(Number(sinceMs)),
  };
}

async function writeSetting(
  db: Connection,
  kind: RetentionKind,
  accountId: string,
  setting: StoredSetting,
): Promise<void> {
  const { days, since } = RETENTION_TABLE[kind];
  await db.drizzle.execute(sql`
    UPDATE ${accounts} SET ${sql.identifier(days.name)} = ${setting.days}::integer,
      ${sql.identifier(since.name)} = ${setting.since?.toISOString() ?? null}::timestamptz
    WHERE ${eq(accounts.id, accountId)}`);
}
