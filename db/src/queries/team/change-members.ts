import { hasRole, type InvitableRole, type Role } from '@tollgate/core/people/roles';
import { and, eq, isNull } from 'drizzle-orm';
import { accounts, memberships } from '../../schema/accounts.ts';
import { invitations } from '../../schema/invitations.ts';
import { autoTopUps } from '../../schema/payments.ts';
import { users } from '../../schema/users.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import { findRole } from './members.ts';
import { removeCustomers } from '../payments/payment-removals.ts';

/**
 * Why a membership stays as it is: `role` the actor may not (any more), `owner` ownership is handed over, never
 * changed, `self` a member cannot change their own, `unverified` the email is not verified.
 */
export type MemberDenialReason = 'role' | 'no_such_member' | 'owner' | 'self' | 'unverified';
export type MemberChange = { ok: true; email: string } | { ok: false; reason: MemberDenialReason };

interface Actor {
  accountId: string;
  actorUserId: string;
}

/**
 * Reads a person's role and locks the account's members until the transaction ends, so that a role which was just
 * lost allows nothing.
 * @returns null if they are not a member of the account
 */
export async function lockPeopleAs(tx: Connection, actor: Actor): Promise<Role | null> {
  await tx.drizzle
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, actor.accountId))
    .for('no key update');
  return findRole(tx, { userId: actor.actorUserId, accountId: actor.accountId });
}

/** Gives a member another role; the owner's is handed over instead ({@link transferOwnership}). */
export async function changeMemberRole(
  db: Connection,
  change: Actor & { userId: string; role: InvitableRole },
): Promise<MemberChange> {
  return inTransaction(db, async (tx) => {
    const found = await findChangeable(tx, change);
    if (!found.ok) return found;
    if (found.role === change.role) return { ok: true, email: found.email };
    await tx.drizzle.update(memberships).set({ role: change.role }).where(isMember(change));
    await recordAudit(tx, {
      actorUserId: change.actorUserId,
      accountId: change.accountId,
      action: 'member.role',
      subject: change.userId,
      detail: { email: found.email, from: found.role, to: change.role },
    });
    return { ok: true, email: found.email };
  });
}

/** Takes a person out of an account, and back the invitations that they sent. Their keys stay: keys are the account's. */
export async function removeMember(
  db: Connection,
  change: Actor & { userId: string; now: Date },
): Promise<MemberChange> {
  return inTransaction(db, async (tx) => {
    const found = await findChangeable(tx, change);
    if (!found.ok) return found;
    await takeOut(tx, change);
    await recordAudit(tx, {
      actorUserId: change.actorUserId,
      accountId: change.accountId,
      action: 'member.remove',
      subject: change.userId,
      detail: { email: found.email, role: found.role },
    });
    return { ok: true, email: found.email };
  });
}

/** Lets a person out of an account. The owner hands it over first. */
export async function leaveAccount(
  db: Connection,
  leaving: { accountId: string; userId: string; now: Date },
): Promise<MemberChange> {
  return inTransaction(db, async (tx) => {
    const { accountId, userId } = leaving;
    const role = await lockPeopleAs(tx, { accountId, actorUserId: userId });
    const member = role === null ? null : await findMember(tx, leaving);
    if (member === null) return { ok: false, reason: 'no_such_member' };
    if (role === 'owner') return { ok: false, reason: 'owner' };
    await takeOut(tx, leaving);
    await recordAudit(tx, {
      actorUserId: userId,
      accountId,
      action: 'member.leave',
      subject: userId,
      detail: { email: member.email, role: member.role },
    });
    return { ok: true, email: member.email };
  });
}

/**
 * Transfers an account to another member; the former owner becomes an admin. The balance stays; a saved card is
 * deleted and automatic top-ups end, since the former owner had allowed them.
 */
export async function transferOwnership(
  db: Connection,
  transfer: Actor & { userId: string },
): Promise<MemberChange> {
  return inTransaction(db, async (tx) => {
    const { accountId, actorUserId, userId } = transfer;
    if ((await lockPeopleAs(tx, transfer)) !== 'owner') return { ok: false, reason: 'role' };
    if (userId === actorUserId) return { ok: false, reason: 'self' };
    const next = await findMember(tx, transfer);
    if (next === null) return { ok: false, reason: 'no_such_member' };
    if (next.emailVerifiedAt === null) return { ok: false, reason: 'unverified' };
    // In this order: an index sees to it that there are never two owners.
    await tx.drizzle
      .update(memberships)
      .set({ role: 'admin' })
      .where(isMember({ accountId, userId: actorUserId }));
    await tx.drizzle.update(memberships).set({ role: 'owner' }).where(isMember(transfer));
    await tx.drizzle.update(autoTopUps).set({ enabled: false }).where(eq(autoTopUps.accountId, accountId));
    await removeCustomers(tx, [accountId]);
    await recordAudit(tx, {
      actorUserId,
      accountId,
      action: 'account.transfer',
      subject: userId,
      detail: { email: next.email },
    });
    return { ok: true, email: next.email };
  });
}

type Changeable =
  | { ok: true; email: string; role: Role }
  | { ok: false; reason: Exclude<MemberDenialReason, 'unverified'> };

/** A member whom the actor may change, with the account's members locked. */
async function findChangeable(tx: Connection, change: Actor & { userId: string }): Promise<Changeable> {
  const actorRole = await lockPeopleAs(tx, change);
  if (actorRole === null || !hasRole(actorRole, 'admin')) return { ok: false, reason: 'role' };
  const member = await findMember(tx, change);
  if (member === null) return { ok: false, reason: 'no_such_member' };
  if (member.role === 'owner') return { ok: false, reason: 'owner' };
  if (change.userId === change.actorUserId) return { ok: false, reason: 'self' };
  return { ok: true, email: member.email, role: member.role };
}

async function findMember(tx: Connection, member: { accountId: string; userId: string }) {
  const [row] = await tx.drizzle
    .select({ email: users.email, emailVerifiedAt: users.emailVerifiedAt, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(isMember(member));
  return row ?? null;
}

async function takeOut(
  tx: Connection,
  member: { accountId: string; userId: string; now: Date },
): Promise<void> {
  await tx.drizzle.delete(memberships).where(isMember(member));
  await tx.drizzle
    .update(invitations)
    .set({ withdrawnAt: member.now })
    .where(
      and(
        eq(invitations.accountId, member.accountId),
        eq(invitations.invitedBy, member.userId),
        isNull(invitations.acceptedAt),
        isNull(invitations.withdrawnAt),
      ),
    );
}

function isMember({ accountId, userId }: { accountId: string; userId: string }) {
  return and(eq(memberships.accountId, accountId), eq(memberships.userId, userId));
}
