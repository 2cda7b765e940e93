import { and, eq, isNull } from 'drizzle-orm';
import { apiKeys } from '../../schema/api-keys.ts';
import { identities } from '../../schema/identities.ts';
import { invitations } from '../../schema/invitations.ts';
import { users } from '../../schema/users.ts';
import type { Connection } from '../../transaction.ts';
import { revokeCodes } from './codes.ts';
import { forgetDevices } from './known-devices.ts';
import { grantIncludedCredit } from '../ledger/grant-credit.ts';
import { deletePasskeysOfUser } from './passkeys.ts';
import { deleteTotp } from './second-factors.ts';
import { deleteSessionsOfUser } from './sessions.ts';
import type { User } from './users.ts';

/**
 * Marks the email of a person as verified, and grants the credit of their plan. Until then anyone could act under this
 * address, so everything that was set before is removed: sessions, codes, passkeys, authenticator, linked providers,
 * known browsers, the display name, keys and invitations ("pre-hijacking", https://arxiv.org/abs/2205.10174).
 * The caller holds the lock on the person's row (`lockUser`).
 * @param verification.passwordHash the password that the proving browser set, or a hash that matches nothing
 * @returns false if the email was verified before: nothing changed
 */
export async function markEmailVerified(
  tx: Connection,
  verification: { user: User; at: Date; passwordHash: string },
): Promise<boolean> {
  const { user, at, passwordHash } = verification;
  if (user.emailVerifiedAt !== null) return false;
  await dropUnverifiedState(tx, user.id, at);
  await tx.drizzle
    .update(users)
    .set({ emailVerifiedAt: at, passwordHash, name: null })
    .where(eq(users.id, user.id));
  await grantIncludedCredit(tx, { ownerId: user.id });
  return true;
}

async function dropUnverifiedState(tx: Connection, userId: string, at: Date): Promise<void> {
  await deleteSessionsOfUser(tx, userId);
  await revokeCodes(tx, userId);
  await deletePasskeysOfUser(tx, userId);
  await deleteTotp(tx, userId);
  await forgetDevices(tx, userId);
  await tx.drizzle.delete(identities).where(eq(identities.userId, userId));
  // Keys from the command line have no creator: the operator made them for the verified owner.
  await tx.drizzle
    .update(apiKeys)
    .set({ revokedAt: at })
    .where(and(eq(apiKeys.createdBy, userId), isNull(apiKeys.revokedAt)));
  await tx.drizzle
    .update(invitations)
    .set({ withdrawnAt: at })
    .where(
      and(eq(invitations.invitedBy, userId), isNull(invitations.acceptedAt), isNull(invitations.withdrawnAt)),
    );
}
