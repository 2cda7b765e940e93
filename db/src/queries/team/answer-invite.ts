import type { InvitableRole } from '@tollgate/core/people/roles';
import { and, asc, eq, gt, isNull } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { invitations } from '../../schema/invitations.ts';
import { users } from '../../schema/users.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import { addMember, findRole } from './members.ts';
import { lockPeopleAs } from './change-members.ts';

/** An invitation as the invited person sees it. */
export interface ReceivedInvitation {
  id: string;
  accountId: string;
  accountName: string;
  /** To whom it was sent. */
  email: string;
  role: InvitableRole;
  /** null: a deleted user. */
  invitedByEmail: string | null;
  expiresAt: Date;
  acceptedAt: Date | null;
  withdrawnAt: Date | null;
}

/** @returns null if no invitation's newest email carried the token */
export async function findInvitationByToken(
  db: Connection,
  tokenHash: Buffer,
): Promise<ReceivedInvitation | null> {
  const [row] = await selectReceived(db).where(eq(invitations.tokenHash, tokenHash));
  return row ?? null;
}

/** Open invitations to a verified address, the oldest first. */
export async function listInvitationsTo(
  db: Connection,
  to: { email: string; now: Date; limit: number },
): Promise<ReceivedInvitation[]> {
  return selectReceived(db)
    .where(and(eq(invitations.email, to.email.toLowerCase()), isLive(to.now)))
    .orderBy(asc(invitations.createdAt), asc(invitations.id))
    .limit(to.limit);
}

interface Answer {
  invitationId: string;
  userId: string;
  /** Verified by the person. */
  email: string;
  now: Date;
}

export interface Joined {
  accountId: string;
  accountName: string;
  role: InvitableRole;
  /** null: a deleted user. */
  invitedByEmail: string | null;
}

/**
 * Makes the invited person a member. An existing member keeps their role.
 * @returns null if there is no such invitation to this address any more
 */
export async function acceptInvitation(db: Connection, answer: Answer): Promise<Joined | null> {
  return inTransaction(db, async (tx) => {
    const invitation = await findAnswerable(tx, answer);
    if (invitation === null) return null;
    const { accountId, accountName, role, invitedByEmail } = invitation;
    await lockPeopleAs(tx, { accountId, actorUserId: answer.userId });
    const spent = await tx.drizzle
      .update(invitations)
      .set({ acceptedAt: answer.now, acceptedBy: answer.userId })
      .where(and(eq(invitations.id, answer.invitationId), isLive(answer.now)))
      .returning({ role: invitations.role });
    if (spent.length === 0) return null;
    const member = { userId: answer.userId, accountId };
    if ((await findRole(tx, member)) === null) await addMember(tx, { ...member, role });
    await recordAudit(tx, {
      actorUserId: answer.userId,
      accountId,
      action: 'invitation.accept',
      subject: answer.invitationId,
      detail: { email: invitation.email, role },
    });
    return { accountId, accountName, role, invitedByEmail };
  });
}

/** Declines an invitation as the invited person. @returns false if there is none to this address any more */
export async function declineInvitation(db: Connection, answer: Answer): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const invitation = await findAnswerable(tx, answer);
    if (invitation === null) return false;
    const ended = await tx.drizzle
      .update(invitations)
      .set({ withdrawnAt: answer.now })
      .where(and(eq(invitations.id, answer.invitationId), isLive(answer.now)))
      .returning({ id: invitations.id });
    if (ended.length === 0) return false;
    await recordAudit(tx, {
      actorUserId: answer.userId,
      accountId: invitation.accountId,
      action: 'invitation.decline',
      subject: answer.invitationId,
      detail: { email: invitation.email, role: invitation.role },
    });
    return true;
  });
}

async function findAnswerable(tx: Connection, answer: Answer): Promise<ReceivedInvitation | null> {
  const [row] = await selectReceived(tx).where(
    and(
      eq(invitations.id, answer.invitationId),
      eq(invitations.email, answer.email.toLowerCase()),
      isLive(answer.now),
    ),
  );
  return row ?? null;
}

function selectReceived(db: Connection) {
  return db.drizzle
    .select({
      id: invitations.id,
      accountId: invitations.accountId,
      accountName: accounts.name,
      email: invitations.email,
      role: invitations.role,
      invitedByEmail: users.email,
      expiresAt: invitations.expiresAt,
      acceptedAt: invitations.acceptedAt,
      withdrawnAt: invitations.withdrawnAt,
    })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .leftJoin(users, eq(users.id, invitations.invitedBy));
}

function isLive(now: Date) {
  return and(isNull(invitations.acceptedAt), isNull(invitations.withdrawnAt), gt(invitations.expiresAt, now));
}
