import type { Viewing } from '@tollgate/db/queries/operator/impersonation';
import type { Logger } from 'pino';
import type { Deps } from './deps.ts';
import type { ActiveSession } from './sessions.ts';

/** What a procedure knows of its caller. */
export interface Context {
  deps: Deps;
  log: Logger;
  /** The caller's address (IPv6: its /64), by which attempts are counted. */
  clientIp: string;
  session: ActiveSession | null;
  /** The account that an operator's session views, read-only. null: none. */
  viewing: Viewing | null;
  /** What the browser says of itself; null: nothing. */
  userAgent: string | null;
  /** Time zone of the reader's calendar, by which days are counted; UTC if the browser names none. */
  timeZone: string;
  /** @returns the value of a cookie; null: there is none */
  readCookie(name: string): string | null;
  /** Adds a `Set-Cookie` to the answer. */
  setCookie(cookie: string): void;
}
