import { randomUUID } from 'node:crypto';
import type { Role } from '@tollgate/core/people/roles';
import { addMember } from '@tollgate/db/queries/team/members';
import { createUserWithAccount } from '@tollgate/db/queries/users/users';
import type { TestConsole } from './console-fixture.ts';
import { newEmail, type SignedIn } from './people.ts';

const MONTH_MS = 30 * 86_400_000;

export interface Planted extends SignedIn {
  userId: string;
}

interface Plant {
  /** False: the email is not verified. */
  isVerified?: boolean;
  isOperator?: boolean;
  /** The user has an authenticator, and their session has used it. */
  hasSecondFactor?: boolean;
  /** The session has just re-authenticated. */
  isConfirmed?: boolean;
  /** The account that they are signed in for; their own without it. */
  joins?: { accountId: string; role: Role };
}

/** A signed-in user inserted into the database, to avoid slow password hashing. */
export async function plant(site: TestConsole, options: Plant = {}): Promise<Planted> {
  const { db, clock, sessions } = site.deps;
  const {
    isVerified = true,
    isOperator = false,
    isConfirmed = false,
    hasSecondFactor = false,
    joins,
  } = options;
  const email = newEmail();
  const made = await createUserWithAccount(db, {
    email,
    passwordHash: 'none that any password has',
    emailVerifiedAt: isVerified ? new Date(clock.nowMs()) : null,
    isOperator,
  });
  if (made === null) throw new Error(`A user already has the email ${email}`);
  const userId = made.user.id;
  if (joins !== undefined) await addMember(db, { userId, ...joins });
  const sessionId = randomUUID();
  const expiresAt = new Date(clock.nowMs() + MONTH_MS).toISOString();
  await db.sql`
    INSERT INTO sessions (id, user_id, expires_at, confirmed_at, second_factor_at)
    VALUES (${sessions.hashId(sessionId)}, ${userId}, ${expiresAt},
            ${isConfirmed ? new Date(clock.nowMs()).toISOString() : null},
            ${hasSecondFactor ? new Date(clock.nowMs()).toISOString() : null})`;
  if (hasSecondFactor)
    await db.sql`INSERT INTO totp_secrets (user_id, secret_sealed, confirmed_at) VALUES (${userId}, 'x', now())`;
  const visitor = site.visit();
  visitor.cookies.set('tollgate_session', sessionId);
  return { visitor, email, userId, accountId: joins?.accountId ?? made.accountId };
}
