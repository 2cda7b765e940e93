import { eq } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';

/** @returns null if there is no such account */
export async function findAccountName(db: Connection, accountId: string): Promise<string | null> {
  const [row] = await db.drizzle
    .select({ name: accounts.name })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return row?.name ?? null;
}

/** Renames an account, with an audit entry if the name changes. Its owner is not asked for a name again. */
export async function renameAccount(
  db: Connection,
  change: { accountId: string; actorUserId: string; name: string },
): Promise<void> {
  const { accountId, actorUserId, name } = change;
  await inTransaction(db, async (tx) => {
    const [account] = await tx.drizzle
      .select({ name: accounts.name })
      .from(accounts)
      .where(eq(accounts.id, accountId))
      .for('no key update');
    if (account === undefined) return;
    await tx.drizzle.update(accounts).set({ name, isNamed: true }).where(eq(accounts.id, accountId));
    if (account.name === name) return;
    await recordAudit(tx, {
      actorUserId,
      accountId,
      action: 'account.rename',
      subject: accountId,
      detail: { from: account.name, to: name },
    });
  });
}

/** Keeps the name of an account as it is: its owner is not asked for another. */
export async function keepAccountName(db: Connection, accountId: string): Promise<void> {
  await db.drizzle.update(accounts).set({ isNamed: true }).where(eq(accounts.id, accountId));
}
