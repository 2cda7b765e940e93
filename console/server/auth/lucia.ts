import { hash } from 'node:crypto';
import type { Clock } from '@tollgate/core/runtime/clock';
import type { Database } from '@tollgate/db/client';
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOfUser,
  extendSession,
  findSession,
  insertSession,
  touchSession,
  type SecondFactorState,
} from '@tollgate/db/queries/users/sessions';
import { Lucia, TimeSpan, type Adapter } from 'lucia';
import type { SessionOpening, Sessions } from '../sessions.ts';

/**
 * The only file that imports Lucia, which is no longer maintained, so that it can be replaced here. The adapter
 * stores only the SHA-256 of a session's id, so a copied database cannot sign in.
 */
declare module 'lucia' {
  interface Register {
    Lucia: ReturnType<typeof createLucia>;
    DatabaseSessionAttributes: {
      /** Of a session that is being opened; null if it already exists. */
      opening: SessionOpening | null;
      lastSeenAt: Date;
      confirmedAt: Date | null;
      secondFactor: SecondFactorState;
    };
    DatabaseUserAttributes: { email: string; emailVerifiedAt: Date | null; isOperator: boolean };
  }
}

/** Without use; each visit in the second half prolongs it. */
const LIFE_DAYS = 30;
/** However much it is used: then its person signs in again. */
const MAX_SESSION_LIFE_MS = 90 * 86_400_000;
/** Longer than any id that Lucia makes: the rest is not worth hashing. */
const MAX_ID_LENGTH = 100;
/** A list of sessions need not be more exact, and a page must not write with each of its requests. */
const NOTICE_EVERY_MS = 5 * 60_000;
const MAX_USER_AGENT_LENGTH = 400;

class PasswordChangedError extends Error {
  override name = 'PasswordChangedError';
}

/** @param options.isSecure true on https: the cookie is then bound to it and to this very host */
export function createSessions(options: { db: Database; clock: Clock; isSecure: boolean }): Sessions {
  const lucia = createLucia(options);
  return {
    readId: (cookieHeader) => (cookieHeader === null ? null : lucia.readSessionCookie(cookieHeader)),
    async validate(id) {
      if (id.length > MAX_ID_LENGTH) return null;
      const { session, user } = await lucia.validateSession(id);
      if (session === null) return null;
      const cookie = session.fresh ? lucia.createSessionCookie(session.id).serialize() : null;
      const { id: sessionId, lastSeenAt, confirmedAt, secondFactor } = session;
      return { session: { id: sessionId, user, lastSeenAt, confirmedAt, secondFactor }, cookie };
    },
    async open(userId, opening) {
      try {
        const lastSeenAt = new Date(options.clock.nowMs());
        const secondFactor = { isEnrolled: false, isConfirmed: false, isRequired: false };
        const attributes = { opening, lastSeenAt, confirmedAt: null, secondFactor };
        const session = await lucia.createSession(userId, attributes);
        return lucia.createSessionCookie(session.id).serialize();
      } catch (error) {
        if (error instanceof PasswordChangedError) return null;
        throw error;
      }
    },
    async noticeUse(session, address) {
      const nowMs = options.clock.nowMs();
      if (nowMs - session.lastSeenAt.getTime() < NOTICE_EVERY_MS) return;
      await touchSession(options.db, hashId(session.id), { at: new Date(nowMs), address });
    },
    end: (id) => lucia.invalidateSession(id),
    endAll: (userId) => lucia.invalidateUserSessions(userId),
    hashId,
    blankCookie: () => lucia.createBlankSessionCookie().serialize(),
    deleteExpired: () => lucia.deleteExpiredSessions(),
  };
}

function createLucia({ db, clock, isSecure }: { db: Database; clock: Clock; isSecure: boolean }) {
  return new Lucia(createAdapter(db, clock), {
    sessionExpiresIn: new TimeSpan(LIFE_DAYS, 'd'),
    sessionCookie: {
      // https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes
      name: isSecure ? '__Host-tollgate_session' : 'tollgate_session',
      attributes: { secure: isSecure, sameSite: 'lax', path: '/' },
    },
    getSessionAttributes: ({ lastSeenAt, confirmedAt, secondFactor }) => ({
      lastSeenAt,
      confirmedAt,
      secondFactor,
    }),
    getUserAttributes: (user) => ({
      email: user.email,
      emailVerified: user.emailVerifiedAt !== null,
      isOperator: user.isOperator,
    }),
  });
}

function createAdapter(db: Database, clock: Clock): Adapter {
  return {
    async getSessionAndUser(id) {
      const found = await findSession(db, hashId(id));
      if (found === null) return [null, null];
      if (found.createdAt.getTime() + MAX_SESSION_LIFE_MS <= clock.nowMs()) return [null, null];
      const { userId, expiresAt, lastSeenAt, confirmedAt, secondFactor, user } = found;
      return [
        { id, userId, expiresAt, attributes: { opening: null, lastSeenAt, confirmedAt, secondFactor } },
        { id: userId, attributes: user },
      ];
    },
    // Lucia asks for the plain ids, which are not stored.
    getUserSessions: () =>
      Promise.reject(new Error('Sessions are stored by their hash and cannot be listed')),
    async setSession({ id, userId, expiresAt, attributes }) {
      const { opening, lastSeenAt: openedAt } = attributes;
      if (opening === null) throw new Error('A session was opened without credentials');
      const userAgent = opening.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null;
      const session = { ...opening, idHash: hashId(id), userId, expiresAt, userAgent, openedAt };
      if (!(await insertSession(db, session))) throw new PasswordChangedError();
    },
    updateSessionExpiration: (id, expiresAt) => extendSession(db, hashId(id), expiresAt),
    deleteSession: (id) => deleteSession(db, hashId(id)),
    deleteUserSessions: (userId) => deleteSessionsOfUser(db, userId),
    deleteExpiredSessions: () => {
      const nowMs = clock.nowMs();
      const openedBefore = new Date(nowMs - MAX_SESSION_LIFE_MS);
      return deleteExpiredSessions(db, { now: new Date(nowMs), openedBefore });
    },
  };
}

function hashId(id: string): Buffer {
  return hash('sha256', id, 'buffer');
}
