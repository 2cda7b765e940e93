import { createId } from '@tollgate/core/runtime/ids';
import { hasRole, type InvitableRole } from '@tollgate/core/people/roles';
import { and, count, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { memberships } from '../../schema/accounts.ts';
import { invitations } from '../../schema/invitations.ts';
import { users } from '../../schema/users.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import { lockPeopleAs } from './change-members.ts';

/** More than any account needs; each invitation is an email to a person who may not want it. */
const MAX_OPEN = 100;

/** An invitation that waits for its answer; past `expiresAt` it has to be sent again. */
export interface OpenInvitation {
  id: string;
  email: string;
  role: InvitableRole;
  /** null: a deleted user. */
  invitedByEmail: string | null;
  sentAt: Date;
  expiresAt: Date;
}

interface Mailing {
  /** SHA-256 of the token in the email. */
  tokenHash: Buffer;
  now: Date;
  expiresAt: Date;
}

type InviteDenialReason = 'role' | 'member' | 'invited' | 'too_many';
export type InviteResult = { ok: true; id: string } | { ok: false; reason: InviteDenialReason };

/** Stores an invitation, in the transaction that queues its email. @param invite.email lower-cased */
export async function createInvitation(
  tx: Connection,
  invite: Mailing & { accountId: string; actorUserId: string; email: string; role: InvitableRole },
): Promise<InviteResult> {
  const { accountId, actorUserId, email, role, now } = invite;
  const actorRole = await lockPeopleAs(tx, invite);
  if (actorRole === null || !hasRole(actorRole, 'admin')) return { ok: false, reason: 'role' };
  if (await isMemberByEmail(tx, invite)) return { ok: false, reason: 'member' };
  const [open] = await tx.drizzle
    .select({ all: count(), same: count(sql`CASE WHEN ${invitations.email} = ${email} THEN 1 END`) })
    .from(invitations)
    .where(and(eq(invitations.accountId, accountId), isOpen));
  if ((open?.same ?? 0) > 0) return { ok: false, reason: 'invited' };
  if ((open?.all ?? 0) >= MAX_OPEN) return { ok: false, reason: 'too_many' };
  const id = createId('inv');
  await tx.drizzle.insert(invitations).values({
    id,
    accountId,
    email,
    role,
    invitedBy: actorUserId,
    tokenHash: invite.tokenHash,
    createdAt: now,
    sentAt: now,
    expiresAt: invite.expiresAt,
  });
  await recordAudit(tx, {
    actorUserId,
    accountId,
    action: 'invitation.create',
    subject: id,
    detail: { email, role },
  });
  return { ok: true, id };
}

/** Gives an open invitation another link and more time; the previous link ends. @returns null if it is not open */
export async function renewInvitation(
  tx: Connection,
  renewal: Mailing & { accountId: string; invitationId: string; actorUserId: string },
): Promise<{ email: string; role: InvitableRole } | null> {
  const { accountId, invitationId, actorUserId } = renewal;
  const [row] = await tx.drizzle
    .update(invitations)
    .set({ tokenHash: renewal.tokenHash, sentAt: renewal.now, expiresAt: renewal.expiresAt })
    .where(isOpenInvitation(renewal))
    .returning({ email: invitations.email, role: invitations.role });
  if (row === undefined) return null;
  await recordAudit(tx, {
    actorUserId,
    accountId,
    action: 'invitation.resend',
    subject: invitationId,
    detail: row,
  });
  return row;
}

/** The address of an open invitation; null if it is not open. */
export async function findOpenInvitationEmail(
  db: Connection,
  invitation: { accountId: string; invitationId: string },
): Promise<string | null> {
  const [row] = await db.drizzle
    .select({ email: invitations.email })
    .from(invitations)
    .where(isOpenInvitation(invitation));
  return row?.email ?? null;
}

/** Withdraws an open invitation. @returns false if there is none */
export async function withdrawInvitation(
  db: Connection,
  input: { accountId: string; invitationId: string; actorUserId: string; now: Date },
): Promise<boolean> {
  const { accountId, invitationId, actorUserId } = input;
  return inTransaction(db, async (tx) => {
    const [row] = await tx.drizzle
      .update(invitations)
      .set({ withdrawnAt: input.now })
      .where(isOpenInvitation(input))
      .returning({ email: invitations.email, role: invitations.role });
    if (row === undefined) return false;
    await recordAudit(tx, {
      actorUserId,
      accountId,
      action: 'invitation.withdraw',
      subject: invitationId,
      detail: row,
    });
    return true;
  });
}

/** All open invitations of an account, those past their end too, the newest first. */
export async function listInvitations(db: Connection, accountId: string): Promise<OpenInvitation[]> {
  return db.drizzle
    .select({
      id: invitations.id,
      email: invitations.email,
      role: invitations.role,
      invitedByEmail: users.email,
      sentAt: invitations.sentAt,
      expiresAt: invitations.expiresAt,
    })
    .from(invitations)
    .leftJoin(users, eq(users.id, invitations.invitedBy))
    .where(and(eq(invitations.accountId, accountId), isOpen))
    .orderBy(desc(invitations.createdAt), desc(invitations.id))
    .limit(MAX_OPEN);
}

/** True if this address has an open invitation, so that it may sign up. @param email in any case */
export async function hasLiveInvitation(db: Connection, email: string, now: Date): Promise<boolean> {
  const rows = await db.drizzle
    .select({ id: invitations.id })
    .from(invitations)
    .where(and(eq(invitations.email, email.toLowerCase()), isOpen, gt(invitations.expiresAt, now)))
    .limit(1);
  return rows.length > 0;
}

const isOpen = and(isNull(invitations.acceptedAt), isNull(invitations.withdrawnAt));

function isOpenInvitation({ accountId, invitationId }: { accountId: string; invitationId: string }) {
  return and(eq(invitations.id, invitationId), eq(invitations.accountId, accountId), isOpen);
}

async function isMemberByEmail(
  tx: Connection,
  { accountId, email }: { accountId: string; email: string },
): Promise<boolean> {
  const rows = await tx.drizzle
    .select({ id: users.id })
    .from(users)
    .innerJoin(memberships, and(eq(memberships.userId, users.id), eq(memberships.accountId, accountId)))
    .where(eq(sql`lower(${users.email})`, email));
  return rows.length > 0;
}
