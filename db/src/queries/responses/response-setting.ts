import { eq, sql, type SQL } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';

/** An account's retention of stored responses, and the time of the first stored response. */
export interface ResponseSetting {
  retentionDays: number;
  since: Date;
}

interface SettingChange {
  accountId: string;
  /** null: the command line. */
  actorUserId: string | null;
}

/** What is older is neither shown nor kept; null if the account stores no responses. */
export function getResponseCutoff(now: Date): SQL {
  // greatest() ignores null.
  return sql`CASE WHEN ${accounts.responsesKeptSince} IS NULL THEN NULL ELSE greatest(${accounts.responsesKeptSince},
    ${now.toISOString()}::timestamptz - make_interval(days => ${accounts.responseRetentionDays})) END`;
}

/** @returns null if the account stores no responses */
export async function findResponseSetting(
  db: Connection,
  accountId: string,
): Promise<ResponseSetting | null> {
  const [row] = await db.drizzle
    .select({ retentionDays: accounts.responseRetentionDays, since: accounts.responsesKeptSince })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  const { retentionDays, since } = row ?? { retentionDays: null, since: null };
  return retentionDays === null || since === null ? null : { retentionDays, since };
}

/** Sets the retention of stored responses, including those stored already; the trigger of accounts notifies every replica. */
export async function keepResponses(
  db: Connection,
  change: SettingChange & { retentionDays: number; now: Date },
): Promise<void> {
  const { accountId, actorUserId, retentionDays, now } = change;
  await inTransaction(db, async (tx) => {
    const [account] = await tx.drizzle
      .select({ days: accounts.responseRetentionDays, since: accounts.responsesKeptSince })
      .from(accounts)
      .where(eq(accounts.id, accountId))
      .for('no key update');
    if (account === undefined || account.days === retentionDays) return;
    await tx.drizzle
      .update(accounts)
      .set({ responseRetentionDays: retentionDays, responsesKeptSince: account.since ?? now })
      .where(eq(accounts.id, accountId));
    await recordAudit(tx, {
      actorUserId,
      accountId,
      action: 'account.keep_responses',
      subject: accountId,
      detail: { from: account.days, days: retentionDays },
    });
  });
}

/** Turns storing off; stored responses are not shown any more, and remain to be deleted. */
export async function stopKeepingResponses(db: Connection, change: SettingChange): Promise<void> {
  const { accountId, actorUserId } = change;
  await inTransaction(db, async (tx) => {
    const [account] = await tx.drizzle
      .select({ days: accounts.responseRetentionDays })
      .from(accounts)
      .where(eq(accounts.id, accountId))
      .for('no key update');
    if (account === undefined || account.days === null) return;
    await tx.drizzle
      .update(accounts)
      .set({ responseRetentionDays: null, responsesKeptSince: null })
      .where(eq(accounts.id, accountId));
    await recordAudit(tx, {
      actorUserId,
      accountId,
      action: 'account.stop_keeping_responses',
      subject: accountId,
    });
  });
}
