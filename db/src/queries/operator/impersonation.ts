import { and, eq, gt } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { impersonations } from '../../schema/installation.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';

/** The account that a session views, and until when. */
export interface Viewing {
  accountId: string;
  accountName: string;
  endsAt: Date;
}

/** @param session.idHash SHA-256 of the session's id; @returns null: it views only its own accounts */
export async function findViewing(
  db: Connection,
  session: { idHash: Buffer; now: Date },
): Promise<Viewing | null> {
  const [row] = await db.drizzle
    .select({ accountId: accounts.id, accountName: accounts.name, endsAt: impersonations.endsAt })
    .from(impersonations)
    .innerJoin(accounts, eq(accounts.id, impersonations.accountId))
    .where(and(eq(impersonations.sessionId, session.idHash), gt(impersonations.endsAt, session.now)));
  return row ?? null;
}

/**
 * Lets a session view an account, instead of any that it viewed before; recorded in the account's audit log.
 * @returns false if there is no such account
 */
export async function beginViewing(
  db: Connection,
  input: {
    idHash: Buffer;
    accountId: string;
    reason: string;
    now: Date;
    endsAt: Date;
    actorUserId: string;
  },
): Promise<boolean> {
  const { idHash, accountId, reason, now, endsAt, actorUserId } = input;
  return inTransaction(db, async (tx) => {
    if ((await tx.drizzle.$count(accounts, eq(accounts.id, accountId))) === 0) return false;
    const row = { accountId, startedAt: now, endsAt };
    await tx.drizzle
      .insert(impersonations)
      .values({ sessionId: idHash, ...row })
      .onConflictDoUpdate({ target: impersonations.sessionId, set: row });
    const detail = { reason, until: endsAt.toISOString() };
    await recordAudit(tx, { actorUserId, accountId, action: 'account.view', subject: accountId, detail });
    return true;
  });
}

/** Ends the view before its time; does nothing if the session views no account. */
export async function endViewing(
  db: Connection,
  input: { idHash: Buffer; actorUserId: string },
): Promise<void> {
  const { idHash, actorUserId } = input;
  await inTransaction(db, async (tx) => {
    const [removed] = await tx.drizzle
      .delete(impersonations)
      .where(eq(impersonations.sessionId, idHash))
      .returning({ accountId: impersonations.accountId });
    if (removed === undefined) return;
    const { accountId } = removed;
    await recordAudit(tx, { actorUserId, accountId, action: 'account.view_end', subject: accountId });
  });
}
