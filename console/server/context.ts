import type { Logger } from 'pino';
import type { Deps } from './deps.ts';
import type { ActiveSession } from './sessions.ts';

/** What a procedure knows of its caller. */
export interface Context {
  deps: Deps;
  log: Logger;
  /** The caller's address, an IPv6 one cut to its /64: what attempts are counted by. */
  clientIp: string;
  /** True where the caller is on this machine and no proxy stands between. */
  isLocalVisitor: boolean;
  session: ActiveSession | null;
  /** The browser's proof that it made a sign-up; null: it made none. */
  signUpTicket: string | null;
  /** Adds a `Set-Cookie` to the answer. */
  setCookie(cookie: string): void;
}
