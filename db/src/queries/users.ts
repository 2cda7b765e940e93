import { createId } from '@tollgate/core/ids';
import { eq, sql } from 'drizzle-orm';
import type { Database } from '../client.ts';
import { accounts, memberships } from '../schema/accounts.ts';
import { users } from '../schema/users.ts';

export type User = typeof users.$inferSelect;

export interface NewUser {
  /** Already trimmed and lower-cased. */
  email: string;
  passwordHash: string;
  emailVerifiedAt?: Date | null;
  isOperator?: boolean;
}

/**
 * Makes a person together with the account they own, in one transaction.
 * @returns null where the e-mail belongs to somebody already
 */
export async function createUserWithAccount(
  db: Database,
  input: NewUser,
): Promise<{ user: User; accountId: string } | null> {
  return db.drizzle.transaction(async (tx) => {
    const [user] = await tx
      .insert(users)
      .values({ id: createId('user'), ...input })
      .onConflictDoNothing()
      .returning();
    if (user === undefined) return null;
    const accountId = createId('acct');
    await tx.insert(accounts).values({ id: accountId, name: user.email });
    await tx.insert(memberships).values({ userId: user.id, accountId, role: 'owner' });
    return { user, accountId };
  });
}

/** @param email in any case */
export async function findUserByEmail(db: Database, email: string): Promise<User | null> {
  const [user] = await db.drizzle
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()));
  return user ?? null;
}
