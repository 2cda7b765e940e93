import { hash } from 'node:crypto';
import { clearThrottles, hitThrottle } from '@tollgate/db/queries/throttles';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long the next mail of a kind to an address has to wait. */
export const RESEND_AFTER_SECONDS = 60;

/**
 * What may be tried how often. Passwords are counted per address *and* e-mail first, so that a stranger's guesses
 * do not keep the owner out. The limit over all addresses is there against guesses from many places; should it ever
 * stand in the owner's way, the link of "forgot password" passes it by.
 */
const LIMITS = {
  signInByIp: { limit: 100, windowMs: 15 * MINUTE_MS },
  signInByEmailAndIp: { limit: 10, windowMs: 15 * MINUTE_MS },
  signInByEmail: { limit: 100, windowMs: 5 * MINUTE_MS },
  signUpByIp: { limit: 20, windowMs: HOUR_MS },
  externalByIp: { limit: 60, windowMs: 15 * MINUTE_MS },
  codeByIp: { limit: 60, windowMs: 15 * MINUTE_MS },
  codeByEmailAndIp: { limit: 20, windowMs: 15 * MINUTE_MS },
  codeByUser: { limit: 20, windowMs: 15 * MINUTE_MS },
  passwordByUser: { limit: 10, windowMs: 15 * MINUTE_MS },
  /** Whoever gets here knows the password. In a day all tries together hit one in a thousand logins. */
  secondFactorByUserAndIp: { limit: 5, windowMs: 15 * MINUTE_MS },
  secondFactorByUser: { limit: 20, windowMs: HOUR_MS },
  passkeyByIp: { limit: 200, windowMs: 15 * MINUTE_MS },
  mailByIp: { limit: 30, windowMs: HOUR_MS },
  verifyMailByEmail: { limit: 1, windowMs: RESEND_AFTER_SECONDS * 1000 },
  linkMailByEmail: { limit: 1, windowMs: RESEND_AFTER_SECONDS * 1000 },
  resetMailByEmail: { limit: 1, windowMs: RESEND_AFTER_SECONDS * 1000 },
  changeMailByUser: { limit: 1, windowMs: RESEND_AFTER_SECONDS * 1000 },
  changeMailByEmail: { limit: 1, windowMs: RESEND_AFTER_SECONDS * 1000 },
  inviteByUser: { limit: 50, windowMs: HOUR_MS },
  inviteByAccountAndEmail: { limit: 1, windowMs: RESEND_AFTER_SECONDS * 1000 },
  /** All mails that others can cause to an address. */
  mailByEmail: { limit: 10, windowMs: HOUR_MS },
} as const;

export type LimitName = keyof typeof LIMITS;

/** The longest window: what began before it counts for nothing. */
export const LONGEST_WINDOW_MS = Math.max(...Object.values(LIMITS).map((limit) => limit.windowMs));

/**
 * Counts an attempt in each of the windows, in order.
 * @param subjects by limit: whom it counts for; several parts are told apart
 * @throws TOO_MANY_REQUESTS, the same whether the e-mail exists or not
 */
export async function throttle(ctx: Context, subjects: Partial<Record<LimitName, string[]>>): Promise<void> {
  const { db, clock } = ctx.deps;
  for (const [name, subject] of Object.entries(subjects)) {
    if (!isLimitName(name)) continue;
    const bucket = bucketOf(name, subject);
    const hit = await hitThrottle(db, { bucket, ...LIMITS[name], nowMs: clock.nowMs() });
    if (!hit.ok) {
      const { retryAfterSeconds } = hit;
      throw deny('TOO_MANY_REQUESTS', `Please wait ${inWords(retryAfterSeconds)} and try again.`, {
        retryAfterSeconds,
      });
    }
  }
}

/** Forgets the attempts of whoever has just proven who they are. */
export async function forgiveAttempts(ctx: Context, name: LimitName, subject: string[]): Promise<void> {
  await clearThrottles(ctx.deps.db, [bucketOf(name, subject)]);
}

function bucketOf(name: LimitName, subject: string[]): string {
  return hash('sha256', JSON.stringify([name, ...subject]), 'hex');
}

function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(LIMITS, name);
}

function inWords(seconds: number): string {
  if (seconds === 1) return 'a second';
  if (seconds <= 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
