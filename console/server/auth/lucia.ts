import { hash } from 'node:crypto';
import type { Clock } from '@tollgate/core/clock';
import type { Database } from '@tollgate/db/client';
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOfUser,
  extendSession,
  findSession,
  insertSession,
} from '@tollgate/db/queries/sessions';
import { Lucia, TimeSpan, type Adapter } from 'lucia';
import type { Sessions } from '../sessions.ts';

/**
 * The one file that knows Lucia, which is no longer maintained: whoever replaces it replaces this file.
 * The adapter stores only the SHA-256 of a session's id, so a copied database signs nobody in.
 */
declare module 'lucia' {
  interface Register {
    Lucia: ReturnType<typeof createLucia>;
    DatabaseSessionAttributes: { provenPasswordHash: string | null };
    DatabaseUserAttributes: { email: string; emailVerifiedAt: Date | null; isOperator: boolean };
  }
}

const LIFE_DAYS = 30;
/** Longer than any id that Lucia makes: the rest is not worth hashing. */
const MAX_ID_LENGTH = 100;

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
      return { session: { id: session.id, user }, cookie };
    },
    async open(userId, provenPasswordHash) {
      try {
        const session = await lucia.createSession(userId, { provenPasswordHash });
        return lucia.createSessionCookie(session.id).serialize();
      } catch (error) {
        if (error instanceof PasswordChangedError) return null;
        throw error;
      }
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
      const { userId, expiresAt, user } = found;
      return [
        { id, userId, expiresAt, attributes: { provenPasswordHash: null } },
        { id: userId, attributes: user },
      ];
    },
    // Lucia asks for the ids themselves, which nobody has kept.
    getUserSessions: () =>
      Promise.reject(new Error('Sessions are stored by their hash and cannot be listed')),
    async setSession({ id, userId, expiresAt, attributes }) {
      const session = { idHash: hashId(id), userId, expiresAt, ...attributes };
      if (!(await insertSession(db, session))) throw new PasswordChangedError();
    },
    updateSessionExpiration: (id, expiresAt) => extendSession(db, hashId(id), expiresAt),
    deleteSession: (id) => deleteSession(db, hashId(id)),
    deleteUserSessions: (userId) => deleteSessionsOfUser(db, userId),
    deleteExpiredSessions: () => deleteExpiredSessions(db, new Date(clock.nowMs())),
  };
}

function hashId(id: string): Buffer {
  return hash('sha256', id, 'buffer');
}
