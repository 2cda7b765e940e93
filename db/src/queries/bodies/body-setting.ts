import { eq, sql, type SQL } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';

/** An account's retention of logged payloads, and the time of the first logged request. */
export interface BodySetting {
  retentionDays: number;
  since: Date;
}

interface SettingChange {
  accountId: string;
  actorUserId: string;
}

/** Requests that began before are neither shown nor kept; null if the account does not log requests. */
export function getCutoff(now: Date): SQL {
  // greatest() passes over a null, so each of the two must be there.
  return sql`CASE WHEN ${accounts.bodiesKeptSince} IS NULL THEN NULL ELSE greatest(${accounts.bodiesKeptSince},
    ${now.toISOString()}::timestamptz - make_interval(days => ${accounts.bodyRetentionDays})) END`;
}

/** @returns null if the account does not log requests */
export async function findBodySetting(db: Connection, accountId: string): Promise<BodySetting | null> {
  const [row] = await db.drizzle
    .select({ retentionDays: accounts.bodyRetentionDays, since: accounts.bodiesKeptSince })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  const { retentionDays, since } = row ?? { retentionDays: null, since: null };
  return retentionDays === null || since === null ? null : { retentionDays, since };
}

/** Sets the retention of logged payloads, including those stored already; the trigger of accounts notifies every replica. */
export async function keepBodies(
  db: Connection,
  change: SettingChange & { retentionDays: number; now: Date },
): Promise<void> {
  const { accountId, actorUserId, retentionDays, now } = change;
  await inTransaction(db, async (tx) => {
    const [account] = await tx.drizzle
      .select({ days: accounts.bodyRetentionDays, since: accounts.bodiesKeptSince })
      .from(accounts)
      .where(eq(accounts.id, accountId))
      .for('no key update');
    if (account === undefined || account.days === retentionDays) return;
    await tx.drizzle
      .update(accounts)
      .set({ bodyRetentionDays: retentionDays, bodiesKeptSince: account.since ?? now })
      .where(eq(accounts.id, accountId));
    await recordAudit(tx, {
      actorUserId,
      accountId,
      action: 'account.keep_bodies',
      subject: accountId,
      detail: { from: account.days, days: retentionDays },
    });
  });
}

/** Turns request logging off; stored payloads are not shown any more, and remain to be deleted. */
export async function stopKeepingBodies(db: Connection, change: SettingChange): Promise<void> {
  const { accountId, actorUserId } = change;
  await inTransaction(db, async (tx) => {
    const [account] = await tx.drizzle
      .select({ days: accounts.bodyRetentionDays })
      .from(accounts)
      .where(eq(accounts.id, accountId))
      .for('no key update');
    if (account === undefined || account.days === null) return;
    await tx.drizzle
      .update(accounts)
      .set({ bodyRetentionDays: null, bodiesKeptSince: null })
      .where(eq(accounts.id, accountId));
    await recordAudit(tx, {
      actorUserId,
      accountId,
      action: 'account.stop_keeping_bodies',
      subject: accountId,
    });
  });
}
