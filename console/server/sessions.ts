import type { SecondFactorState } from '@tollgate/db/queries/users/sessions';

/** Who is signed in, and through which session. */
export interface ActiveSession {
  /** The id in the cookie. Never stored, never logged. */
  id: string;
  user: { id: string; email: string; emailVerified: boolean; isOperator: boolean };
  lastSeenAt: Date;
  /** When its person last proved again that it is them; null: not since they signed in. */
  confirmedAt: Date | null;
  secondFactor: SecondFactorState;
}

/** How a session comes to be. */
export interface SessionOpening {
  /** The hash that the password was checked against; null: the person proved themselves in another way. */
  checkedPasswordHash: string | null;
  /** What the browser says of itself. */
  userAgent: string | null;
  /** The network it comes from. */
  address: string | null;
  /** The user has used a second factor: a code, a recovery code or a passkey. */
  hasSecondFactor: boolean;
}

/** True if the session may reach nothing but the enrolment of a second factor. */
export function isBarred({ secondFactor }: ActiveSession): boolean {
  return secondFactor.isRequired && !secondFactor.isConfirmed;
}

/** The port to session handling; `auth/lucia.ts` is behind it. */
export interface Sessions {
  /** @param cookieHeader the request's `Cookie`; @returns the id that it carries */
  readId(cookieHeader: string | null): string | null;
  /** @returns the session, with a `Set-Cookie` value if it was just prolonged; null: not signed in */
  validate(id: string): Promise<{ session: ActiveSession; cookie: string | null } | null>;
  /**
   * Opens a session.
   * @returns a `Set-Cookie` value; null if the password has been changed since it was checked
   */
  open(userId: string, opening: SessionOpening): Promise<string | null>;
  /** Records the origin of a session, at most every few minutes. */
  noticeUse(session: ActiveSession, address: string | null): Promise<void>;
  end(id: string): Promise<void>;
  endAll(userId: string): Promise<void>;
  /** SHA-256 of an id: how a session is named in the database. */
  hashId(id: string): Buffer;
  /** A `Set-Cookie` value that deletes the cookie. */
  blankCookie(): string;
  deleteExpired(): Promise<void>;
}
