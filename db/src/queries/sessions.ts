import { and, eq, lte, ne } from 'drizzle-orm';
import { sessions } from '../schema/sessions.ts';
import { users } from '../schema/users.ts';
import { inTransaction, type Connection } from '../transaction.ts';

export interface StoredSession {
  userId: string;
  expiresAt: Date;
  user: { email: string; emailVerifiedAt: Date | null; isOperator: boolean };
}

/** @param idHash SHA-256 of the session's id */
export async function findSession(db: Connection, idHash: Buffer): Promise<StoredSession | null> {
  const [row] = await db.drizzle
    .select({
      userId: sessions.userId,
      expiresAt: sessions.expiresAt,
      user: {
        email: users.email,
        emailVerifiedAt: users.emailVerifiedAt,
        isOperator: users.isOperator,
      },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.id, idHash));
  return row ?? null;
}

export interface NewSession {
  idHash: Buffer;
  userId: string;
  expiresAt: Date;
  /** The hash that the password was checked against; null: the person proved their mailbox instead. */
  provenPasswordHash: string | null;
}

/**
 * Stores a session, unless the password that opened it has been changed meanwhile. The lock on the person's row
 * puts it before or after a change of password, never beside it: the change ends it or refuses it.
 * @returns false where the password is another one by now
 */
export async function insertSession(db: Connection, session: NewSession): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const [user] = await tx.drizzle
      .select({ passwordHash: users.passwordHash })
      .from(users)
      .where(eq(users.id, session.userId))
      .for('share');
    if (user === undefined) return false;
    if (session.provenPasswordHash !== null && user.passwordHash !== session.provenPasswordHash) return false;
    await tx.drizzle
      .insert(sessions)
      .values({ id: session.idHash, userId: session.userId, expiresAt: session.expiresAt });
    return true;
  });
}

export async function extendSession(db: Connection, idHash: Buffer, expiresAt: Date): Promise<void> {
  await db.drizzle.update(sessions).set({ expiresAt }).where(eq(sessions.id, idHash));
}

export async function deleteSession(db: Connection, idHash: Buffer): Promise<void> {
  await db.drizzle.delete(sessions).where(eq(sessions.id, idHash));
}

/** @param keptIdHash the session that stays; null: none */
export async function deleteSessionsOfUser(
  db: Connection,
  userId: string,
  keptIdHash: Buffer | null = null,
): Promise<void> {
  await db.drizzle
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), keptIdHash === null ? undefined : ne(sessions.id, keptIdHash)));
}

export async function deleteExpiredSessions(db: Connection, now: Date): Promise<void> {
  await db.drizzle.delete(sessions).where(lte(sessions.expiresAt, now));
}
