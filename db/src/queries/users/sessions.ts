import { and, desc, eq, gt, lte, ne, or, sql } from 'drizzle-orm';
import { sessions } from '../../schema/sessions.ts';
import { users } from '../../schema/users.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { hasSecondFactor } from '../accounts/two-factor-policy.ts';

export interface StoredSession {
  userId: string;
  expiresAt: Date;
  lastSeenAt: Date;
  confirmedAt: Date | null;
  createdAt: Date;
  secondFactor: SecondFactorState;
  user: { email: string; emailVerifiedAt: Date | null; isOperator: boolean };
}

/** The second factor of a session and its person. */
export interface SecondFactorState {
  /** The person has an authenticator that sign-ins require, or a passkey. */
  isEnrolled: boolean;
  /** This session proved one of them, and the person still has one. */
  isConfirmed: boolean;
  /** The person is an operator, and the installation requires a second factor of operators. */
  isRequired: boolean;
}

/** @param idHash SHA-256 of the session's id */
export async function findSession(db: Connection, idHash: Buffer): Promise<StoredSession | null> {
  const [row] = await db.drizzle
    .select({
      userId: sessions.userId,
      expiresAt: sessions.expiresAt,
      lastSeenAt: sessions.lastSeenAt,
      confirmedAt: sessions.confirmedAt,
      createdAt: sessions.createdAt,
      secondFactorAt: sessions.secondFactorAt,
      isEnrolled: hasSecondFactor,
      operatorsRequire: sql<boolean>`(SELECT operators_require_two_factor FROM installation_settings)`,
      user: {
        email: users.email,
        emailVerifiedAt: users.emailVerifiedAt,
        isOperator: users.isOperator,
      },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.id, idHash));
  if (row === undefined) return null;
  const { secondFactorAt, isEnrolled, operatorsRequire, ...session } = row;
  const isConfirmed = isEnrolled && secondFactorAt !== null;
  const isRequired = session.user.isOperator && operatorsRequire;
  return { ...session, secondFactor: { isEnrolled, isConfirmed, isRequired } };
}

export interface NewSession {
  idHash: Buffer;
  userId: string;
  expiresAt: Date;
  /** The hash that the password was checked against; null: the person proved themselves in another way. */
  checkedPasswordHash: string | null;
  /** The browser's User-Agent; null: none. */
  userAgent: string | null;
  /** The network it comes from; null: unknown. */
  address: string | null;
  openedAt: Date;
  /** It was opened by a code of the second step, or by a passkey. */
  hasSecondFactor: boolean;
}

/**
 * Stores a session, unless the password that opened it has been changed meanwhile, or its person is deleted. The lock on
 * the person's row orders it before or after such a change: the change ends it or refuses it.
 * @returns false if the password has changed
 */
export async function insertSession(db: Connection, session: NewSession): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const [user] = await tx.drizzle
      .select({ passwordHash: users.passwordHash, deletedAt: users.deletedAt })
      .from(users)
      .where(eq(users.id, session.userId))
      .for('share');
    if (user === undefined || user.deletedAt !== null) return false;
    if (session.checkedPasswordHash !== null && user.passwordHash !== session.checkedPasswordHash)
      return false;
    const { idHash: id, userId, expiresAt, userAgent, address, openedAt } = session;
    const secondFactorAt = session.hasSecondFactor ? openedAt : null;
    await tx.drizzle.insert(sessions).values({
      id,
      userId,
      expiresAt,
      userAgent,
      address,
      createdAt: openedAt,
      lastSeenAt: openedAt,
      secondFactorAt,
    });
    return true;
  });
}

export interface ListedSession {
  /** SHA-256 of the session's id. */
  id: Buffer;
  userAgent: string | null;
  address: string | null;
  createdAt: Date;
  lastSeenAt: Date;
}

/** A longer list is of no use. */
const MAX_LISTED = 100;

/** The live sessions of a person, most recently seen first. */
export async function listSessions(
  db: Connection,
  person: { userId: string; now: Date },
): Promise<ListedSession[]> {
  return db.drizzle
    .select({
      id: sessions.id,
      userAgent: sessions.userAgent,
      address: sessions.address,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, person.userId), gt(sessions.expiresAt, person.now)))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt))
    .limit(MAX_LISTED);
}

/** Records when and from where a session was seen. */
export async function touchSession(
  db: Connection,
  idHash: Buffer,
  seen: { at: Date; address: string | null },
): Promise<void> {
  await db.drizzle
    .update(sessions)
    .set({ lastSeenAt: seen.at, address: seen.address })
    .where(eq(sessions.id, idHash));
}

/** Records that the person at a session has just re-authenticated. */
export async function markSessionConfirmed(db: Connection, idHash: Buffer, at: Date): Promise<void> {
  await db.drizzle.update(sessions).set({ confirmedAt: at }).where(eq(sessions.id, idHash));
}

/** Records that the person at a session has just used a second factor. */
export async function markSecondFactor(db: Connection, idHash: Buffer, at: Date): Promise<void> {
  await db.drizzle.update(sessions).set({ secondFactorAt: at }).where(eq(sessions.id, idHash));
}

export async function extendSession(db: Connection, idHash: Buffer, expiresAt: Date): Promise<void> {
  await db.drizzle.update(sessions).set({ expiresAt }).where(eq(sessions.id, idHash));
}

export async function deleteSession(db: Connection, idHash: Buffer): Promise<void> {
  await db.drizzle.delete(sessions).where(eq(sessions.id, idHash));
}

/** @returns false if the person has no such session */
export async function deleteSessionOfUser(
  db: Connection,
  session: { userId: string; idHash: Buffer },
): Promise<boolean> {
  const removed = await db.drizzle
    .delete(sessions)
    .where(and(eq(sessions.userId, session.userId), eq(sessions.id, session.idHash)))
    .returning({ userId: sessions.userId });
  return removed.length > 0;
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

/** Deletes sessions that were not used for long, and sessions opened before a time, however much they are used. */
export async function deleteExpiredSessions(
  db: Connection,
  { now, openedBefore }: { now: Date; openedBefore: Date },
): Promise<void> {
  await db.drizzle
    .delete(sessions)
    .where(or(lte(sessions.expiresAt, now), lte(sessions.createdAt, openedBefore)));
}
