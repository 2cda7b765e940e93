import type { DisplayChange } from '@tollgate/core/people/display-change';
import { createId } from '@tollgate/core/runtime/ids';
import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { accounts, memberships } from '../../schema/accounts.ts';
import { users } from '../../schema/users.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { grantIncludedCredit } from '../ledger/grant-credit.ts';
import { endOperatorInvites } from './operator-invite.ts';

export type User = typeof users.$inferSelect;

export interface NewUser {
  /** Already trimmed and lower-cased. */
  email: string;
  passwordHash: string;
  emailVerifiedAt?: Date | null;
  isOperator?: boolean;
  /** Of the account; the plan of new accounts by default. */
  planId?: string;
}

/**
 * Creates a person together with the account they own, in one transaction; with a verified email it has the credit of
 * its plan.
 * @returns null if the email is in use already
 */
export async function createUserWithAccount(
  db: Connection,
  { planId, ...input }: NewUser,
): Promise<{ user: User; accountId: string } | null> {
  return inTransaction(db, async (tx) => {
    const [user] = await tx.drizzle
      .insert(users)
      .values({ id: createId('user'), ...input })
      .onConflictDoNothing()
      .returning();
    if (user === undefined) return null;
    if (user.isOperator) await endOperatorInvites(tx);
    const accountId = createId('acct');
    await tx.drizzle.insert(accounts).values({ id: accountId, name: user.email, planId });
    await tx.drizzle.insert(memberships).values({ userId: user.id, accountId, role: 'owner' });
    await grantIncludedCredit(tx, { accountId });
    return { user, accountId };
  });
}

/** @param email in any case */
export async function findUserByEmail(db: Connection, email: string): Promise<User | null> {
  const [user] = await db.drizzle
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()));
  return user ?? null;
}

export async function findUserById(db: Connection, id: string): Promise<User | null> {
  const [user] = await db.drizzle.select().from(users).where(eq(users.id, id));
  return user ?? null;
}

/**
 * Reads a person and locks their row until the transaction ends. Every change of a password, email or code starts
 * with it, so that two changes never mix and no session slips in between.
 */
export async function lockUser(db: Connection, id: string): Promise<User | null> {
  const [user] = await db.drizzle.select().from(users).where(eq(users.id, id)).for('no key update');
  return user ?? null;
}

/** @param passwordHash argon2id, in PHC string format */
export async function setPasswordHash(db: Connection, userId: string, passwordHash: string): Promise<void> {
  await db.drizzle.update(users).set({ passwordHash }).where(eq(users.id, userId));
}

/** @param name their display name; null: the email is shown */
export async function setPersonName(db: Connection, userId: string, name: string | null): Promise<void> {
  await db.drizzle.update(users).set({ name }).where(eq(users.id, userId));
}

/** Stores how a person wants the console to look. Absent fields stay. */
export async function setDisplay(db: Connection, userId: string, change: DisplayChange): Promise<void> {
  if (Object.values(change).every((value) => value === undefined)) return;
  await db.drizzle.update(users).set(change).where(eq(users.id, userId));
}

/**
 * Gives a person another verified address, and renames their account if its name was the old address.
 * @param change.email already trimmed and lower-cased
 * @returns false if the address belongs to another person
 * @throws the unique violation if another person takes the address at the same moment
 */
export async function changeUserEmail(
  db: Connection,
  change: { user: User; email: string; verifiedAt: Date },
): Promise<boolean> {
  const { user, email } = change;
  const [taken] = await db.drizzle
    .select({ id: users.id })
    .from(users)
    .where(and(eq(sql`lower(${users.email})`, email), ne(users.id, user.id)));
  if (taken !== undefined) return false;
  await db.drizzle
    .update(users)
    .set({ email, emailVerifiedAt: change.verifiedAt })
    .where(eq(users.id, user.id));
  const owned = db.drizzle
    .select({ id: memberships.accountId })
    .from(memberships)
    .where(and(eq(memberships.userId, user.id), eq(memberships.role, 'owner')));
  await db.drizzle
    .update(accounts)
    .set({ name: email })
    .where(and(eq(accounts.name, user.email), inArray(accounts.id, owned)));
  await grantIncludedCredit(db, { ownerId: user.id });
  return true;
}
