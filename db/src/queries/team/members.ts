import type { Role } from '@tollgate/core/people/roles';
import { and, asc, eq, exists } from 'drizzle-orm';
import { accounts, memberships } from '../../schema/accounts.ts';
import { users } from '../../schema/users.ts';
import type { Connection } from '../../transaction.ts';

export interface AccountOfUser {
  id: string;
  name: string;
  /** False: the name is the owner's email, and the owner is asked for a name. */
  isNamed: boolean;
  role: Role;
  /** Only sessions that proved a second factor reach it. */
  requiresTwoFactor: boolean;
}

/** The accounts that a person belongs to, the one they have been in longest first. */
export async function listAccountsOfUser(db: Connection, userId: string): Promise<AccountOfUser[]> {
  return db.drizzle
    .select({
      id: accounts.id,
      name: accounts.name,
      isNamed: accounts.isNamed,
      role: memberships.role,
      requiresTwoFactor: accounts.requiresTwoFactor,
    })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(memberships.createdAt), asc(accounts.id));
}

/** Stores the account that a person opens next on every device. Does nothing unless they belong to it. */
export async function setLastAccount(
  db: Connection,
  member: { userId: string; accountId: string },
): Promise<void> {
  const membership = db.drizzle
    .select({ id: memberships.accountId })
    .from(memberships)
    .where(and(eq(memberships.userId, member.userId), eq(memberships.accountId, member.accountId)));
  await db.drizzle
    .update(users)
    .set({ lastAccountId: member.accountId })
    .where(and(eq(users.id, member.userId), exists(membership)));
}

/** @returns null if the person does not exist or does not belong to the account */
export async function findRole(
  db: Connection,
  member: { userId: string; accountId: string },
): Promise<Role | null> {
  const [row] = await db.drizzle
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.userId, member.userId), eq(memberships.accountId, member.accountId)));
  return row?.role ?? null;
}

/** @returns null if the person does not exist or does not belong to the account */
export async function findMembership(
  db: Connection,
  member: { userId: string; accountId: string },
): Promise<{ role: Role; requiresTwoFactor: boolean } | null> {
  const [row] = await db.drizzle
    .select({ role: memberships.role, requiresTwoFactor: accounts.requiresTwoFactor })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(and(eq(memberships.userId, member.userId), eq(memberships.accountId, member.accountId)));
  return row ?? null;
}

/** Adds a person to an account; an existing member's role becomes this one. */
export async function addMember(
  db: Connection,
  member: { userId: string; accountId: string; role: Role },
): Promise<void> {
  await db.drizzle
    .insert(memberships)
    .values(member)
    .onConflictDoUpdate({ target: [memberships.userId, memberships.accountId], set: { role: member.role } });
}
