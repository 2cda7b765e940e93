import { createId } from '@tollgate/core/runtime/ids';
import { and, eq, gt, isNull } from 'drizzle-orm';
import { accounts, memberships } from '../../schema/accounts.ts';
import { oneTimeCodes } from '../../schema/one-time-codes.ts';
import { users } from '../../schema/users.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { DEFAULT_PLAN, holdPlan, OPERATOR_PLAN, setAccountPlan } from '../plans/plans.ts';

/**
 * Makes the link that turns a sign-up into the operator's, for an installation that has none yet. Ends earlier
 * links that were not used for a sign-up.
 * @param invite.tokenHash SHA-256 of the token in the link: `mintLinkToken` of the auth package
 * @returns false if there is an operator already: then no link is made
 */
export async function createOperatorInvite(
  db: Connection,
  invite: { tokenHash: Buffer; expiresAt: Date },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (await hasOperator(tx)) return false;
    await tx.drizzle.delete(oneTimeCodes).where(and(isUnused, isNull(oneTimeCodes.userId)));
    await tx.drizzle
      .insert(oneTimeCodes)
      .values({ id: createId('code'), purpose: 'operator_setup', ...invite });
    return true;
  });
}

/** True if the installation has an operator. No operator links are made then. */
export async function hasOperator(db: Connection): Promise<boolean> {
  const [operator] = await db.drizzle
    .select({ id: users.id })
    .from(users)
    .where(eq(users.isOperator, true))
    .limit(1);
  return operator !== undefined;
}

/**
 * Records that a person signed up with the link. It does not make them an operator yet, and the link stays valid:
 * only the verification of the email uses it up.
 * @returns false if the link is unknown, used or expired
 */
export async function bindOperatorInvite(
  db: Connection,
  invite: { tokenHash: Buffer; userId: string; nowMs: number },
): Promise<boolean> {
  const rows = await db.drizzle
    .update(oneTimeCodes)
    .set({ userId: invite.userId })
    .where(and(eq(oneTimeCodes.tokenHash, invite.tokenHash), isLive(invite.nowMs)))
    .returning({ id: oneTimeCodes.id });
  return rows.length > 0;
}

/** Takes the link back from a person, for a sign-up that came without it. */
export async function unbindOperatorInvites(db: Connection, userId: string): Promise<void> {
  await db.drizzle
    .update(oneTimeCodes)
    .set({ userId: null })
    .where(and(isUnused, eq(oneTimeCodes.userId, userId)));
}

export async function isOperatorInviteLive(
  db: Connection,
  invite: { tokenHash: Buffer; nowMs: number },
): Promise<boolean> {
  const rows = await db.drizzle
    .select({ id: oneTimeCodes.id })
    .from(oneTimeCodes)
    .where(and(eq(oneTimeCodes.tokenHash, invite.tokenHash), isLive(invite.nowMs)));
  return rows.length > 0;
}

/**
 * Makes a person with a verified email the operator, if they signed up with a valid link.
 * @returns true if they are the operator now
 */
export async function spendOperatorInvite(
  db: Connection,
  person: { userId: string; nowMs: number },
): Promise<boolean> {
  const spent = await db.drizzle
    .update(oneTimeCodes)
    .set({ usedAt: new Date(person.nowMs) })
    .where(and(eq(oneTimeCodes.userId, person.userId), isLive(person.nowMs)))
    .returning({ id: oneTimeCodes.id });
  if (spent.length === 0) return false;
  await db.drizzle.update(users).set({ isOperator: true }).where(eq(users.id, person.userId));
  await moveToOperatorPlan(db, person.userId);
  await endOperatorInvites(db);
  return true;
}

/** Moves the first operator's accounts off the sign-up plan, whose limits are for customers. */
async function moveToOperatorPlan(db: Connection, userId: string): Promise<void> {
  if (!(await holdPlan(db, OPERATOR_PLAN))) return;
  const owned = await db.drizzle
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(memberships, and(eq(memberships.accountId, accounts.id), eq(memberships.role, 'owner')))
    .where(and(eq(memberships.userId, userId), eq(accounts.planId, DEFAULT_PLAN)));
  for (const { id: accountId } of owned)
    await setAccountPlan(db, { accountId, planId: OPERATOR_PLAN, actorUserId: userId });
}

/** Ends every valid link, because an operator exists now. */
export async function endOperatorInvites(db: Connection): Promise<void> {
  await db.drizzle.delete(oneTimeCodes).where(isUnused);
}

const isUnused = and(eq(oneTimeCodes.purpose, 'operator_setup'), isNull(oneTimeCodes.usedAt));

function isLive(nowMs: number) {
  return and(isUnused, gt(oneTimeCodes.expiresAt, new Date(nowMs)));
}
