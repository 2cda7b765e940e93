import { hash } from 'node:crypto';
import { clearThrottles, hitThrottle } from '@tollgate/db/queries/users/throttles';
import type { Connection } from '@tollgate/db/transaction';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const RESEND_AFTER_SECONDS = 60;

/** When another email of the same kind may be sent to the same address. */
export interface Resend {
  resendAfterSeconds: number;
}

/**
 * Limits of attempts. Attempts at a login are counted by browser or network (`count-attempt.ts`), so that a
 * stranger's failures do not lock the owner out. Emails are counted by requester, which is reported, and by address,
 * which is not (`mail-budget.ts`).
 */
const LIMITS = {
  signInByIp: { limit: 100, windowMs: 15 * MINUTE_MS },
  signInByEmailAndIp: { limit: 10, windowMs: 15 * MINUTE_MS },
  signInByEmailAndDevice: { limit: 10, windowMs: 15 * MINUTE_MS },
  /** All browsers and networks together that the person has never signed in from. */
  signInByEmailElsewhere: { limit: 50, windowMs: HOUR_MS },
  signUpByIp: { limit: 20, windowMs: HOUR_MS },
  externalByIp: { limit: 60, windowMs: 15 * MINUTE_MS },
  codeByIp: { limit: 60, windowMs: 15 * MINUTE_MS },
  codeByEmailAndIp: { limit: 20, windowMs: 15 * MINUTE_MS },
  codeByUserAndIp: { limit: 20, windowMs: 15 * MINUTE_MS },
  passwordBySession: { limit: 10, windowMs: 15 * MINUTE_MS },
  /** These callers know the password. In a day all tries together hit one in a thousand logins. */
  secondFactorByUserAndIp: { limit: 5, windowMs: 15 * MINUTE_MS },
  secondFactorByUserAndDevice: { limit: 5, windowMs: 15 * MINUTE_MS },
  secondFactorByUserElsewhere: { limit: 20, windowMs: HOUR_MS },
  enrolmentBySession: { limit: 20, windowMs: HOUR_MS },
  passkeyByIp: { limit: 200, windowMs: 15 * MINUTE_MS },
  mailByIp: { limit: 30, windowMs: HOUR_MS },
  verifyMailByEmailAndIp: { limit: 1, windowMs: RESEND_AFTER_SECONDS * 1000 },
  linkMailByEmailAndIp: { limit: 1, windowMs: RESEND_AFTER_SECONDS * 1000 },
  resetMailByEmailAndIp: { limit: 1, windowMs: RESEND_AFTER_SECONDS * 1000 },
  changeMailByUser: { limit: 1, windowMs: RESEND_AFTER_SECONDS * 1000 },
  confirmMailByUser: { limit: 1, windowMs: RESEND_AFTER_SECONDS * 1000 },
  confirmMailsByUser: { limit: 5, windowMs: HOUR_MS },
  changeMailsByUser: { limit: 10, windowMs: HOUR_MS },
  inviteByUser: { limit: 50, windowMs: HOUR_MS },
  inviteByAccountAndEmail: { limit: 1, windowMs: RESEND_AFTER_SECONDS * 1000 },
  inviteMailByEmail: { limit: 5, windowMs: HOUR_MS },
  inviteMailByEmailAndDay: { limit: 10, windowMs: DAY_MS },
  // Each kind of email has its own budget: one kind must not use up another.
  verifyMailByEmail: { limit: 5, windowMs: HOUR_MS },
  verifyMailByEmailAndDay: { limit: 15, windowMs: DAY_MS },
  linkMailByEmail: { limit: 5, windowMs: HOUR_MS },
  changeMailByEmail: { limit: 3, windowMs: HOUR_MS },
  registeredMailByEmail: { limit: 1, windowMs: HOUR_MS },
  pausedMailByUser: { limit: 1, windowMs: DAY_MS },
  /** At most as many as are sent in the lifetime of a link, so the mailbox always contains a valid one. */
  resetMailByEmail: { limit: 5, windowMs: HOUR_MS },
  resetMailByDevice: { limit: 5, windowMs: HOUR_MS },
} as const;

export type LimitName = keyof typeof LIMITS;

/** The longest window: earlier attempts do not count. */
export const LONGEST_WINDOW_MS = Math.max(...Object.values(LIMITS).map((limit) => limit.windowMs));

/**
 * Counts an attempt in each of the windows, in order.
 * @param subjects by limit: the counted subject; several parts are kept apart
 * @throws TOO_MANY_REQUESTS, the same whether the email exists or not
 */
export async function throttle(ctx: Context, subjects: Partial<Record<LimitName, string[]>>): Promise<void> {
  const hit = await countHits(ctx.deps.db, ctx, subjects);
  if (!hit.ok) throw denyThrottled(hit.retryAfterSeconds);
}

/**
 * Counts an attempt in each window, in order, up to the first full one.
 * @param db the transaction that the caller may hold, or the database
 */
export async function countHits(
  db: Connection,
  ctx: Context,
  subjects: Partial<Record<LimitName, string[]>>,
): Promise<{ ok: true } | { ok: false; limit: LimitName; retryAfterSeconds: number }> {
  for (const [name, subject] of Object.entries(subjects)) {
    if (!isLimitName(name)) continue;
    const bucket = getBucket(name, subject);
    const hit = await hitThrottle(db, { bucket, ...LIMITS[name], nowMs: ctx.deps.clock.nowMs() });
    if (!hit.ok) return { ok: false, limit: name, retryAfterSeconds: hit.retryAfterSeconds };
  }
  return { ok: true };
}

export function denyThrottled(retryAfterSeconds: number) {
  return deny('TOO_MANY_REQUESTS', `Too many attempts. Try again in ${inWords(retryAfterSeconds)}.`, {
    retryAfterSeconds,
  });
}

/** Clears the attempts of a user who has just signed in. */
export async function forgiveAttempts(ctx: Context, name: LimitName, subject: string[]): Promise<void> {
  await clearThrottles(ctx.deps.db, [getBucket(name, subject)]);
}

function getBucket(name: LimitName, subject: string[]): string {
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
