import { and, eq, isNotNull } from 'drizzle-orm';
import { passkeys, totpSecrets } from '../../schema/second-factors.ts';
import type { Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import { deletePasskeysOfUser } from './passkeys.ts';
import { deleteTotp } from './second-factors.ts';
import { deleteSessionsOfUser } from './sessions.ts';
import { lockUser } from './users.ts';

/** The parts of a sign-in, without its password, that a person with a lost phone cannot use. */
export interface SignInParts {
  twoFactor: boolean;
  passkeys: number;
}

export interface SignInReset {
  userId: string;
  /** Which of the parts go. */
  twoFactor: boolean;
  passkeys: boolean;
  reason: string | null;
  /** null: the command line. */
  actorUserId: string | null;
}

/**
 * Removes the authenticator with its recovery codes, the passkeys, or both from a sign-in, and ends all of its sessions.
 * Runs in the transaction that queues the email about it.
 * @returns what was removed, and the address to notify; null if there is no such person or nothing was removed
 */
export async function resetSignIn(
  tx: Connection,
  reset: SignInReset,
): Promise<{ email: string; removed: SignInParts } | null> {
  const user = await lockUser(tx, reset.userId);
  if (user === null || user.deletedAt !== null) return null;
  const found = await readSignInParts(tx, user.id);
  const removed = {
    twoFactor: reset.twoFactor && found.twoFactor,
    passkeys: reset.passkeys ? found.passkeys : 0,
  };
  if (!removed.twoFactor && removed.passkeys === 0) return null;
  if (removed.twoFactor) await deleteTotp(tx, user.id);
  if (removed.passkeys > 0) await deletePasskeysOfUser(tx, user.id);
  await deleteSessionsOfUser(tx, user.id);
  await recordAudit(tx, {
    actorUserId: reset.actorUserId,
    action: 'user.sign_in_reset',
    subject: user.id,
    detail: { ...removed, ...(reset.reason !== null && { reason: reset.reason }) },
  });
  return { email: user.email, removed };
}

/** An unconfirmed secret does not count: no sign-in requires it. */
async function readSignInParts(tx: Connection, userId: string): Promise<SignInParts> {
  const inUse = and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt));
  return {
    twoFactor: (await tx.drizzle.$count(totpSecrets, inUse)) > 0,
    passkeys: await tx.drizzle.$count(passkeys, eq(passkeys.userId, userId)),
  };
}
