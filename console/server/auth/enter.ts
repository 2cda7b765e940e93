import { findTotp } from '@tollgate/db/queries/users/second-factors';
import type { User } from '@tollgate/db/queries/users/users';
import type { Context } from '../context.ts';
import type { SessionOpening } from '../sessions.ts';
import { noticeDevice } from './notice-device.ts';
import { secondFactorTicket } from './second-factor-ticket.ts';

/** Where a first proof leads: into the console, or to the question for the second one. */
export type Entry = { next: 'console'; emailVerified: boolean } | { next: 'second_factor' };

/**
 * Lets a person in who has just proven who they are, or gives their browser the ticket for the second step where the
 * login has an authenticator. Whatever signs people in goes through here, so that nothing passes the second step by.
 * @param provenPasswordHash the hash that the password was checked against; null: it was another proof
 * @returns null if the password has been changed since it was checked
 */
export async function enter(
  ctx: Context,
  user: User,
  provenPasswordHash: string | null,
): Promise<Entry | null> {
  const totp = await findTotp(ctx.deps.db, user.id);
  if (totp !== null && totp.confirmedAt !== null) {
    ctx.setCookie(secondFactorTicket.issue(ctx.deps, { userId: user.id, provenPasswordHash }));
    return { next: 'second_factor' };
  }
  return enterFully(ctx, user, { provenPasswordHash, hasSecondFactor: false });
}

/** Opens a session for a person who has proven all that is asked for. */
export async function enterFully(
  ctx: Context,
  user: User,
  proof: Pick<SessionOpening, 'provenPasswordHash' | 'hasSecondFactor'>,
): Promise<Entry | null> {
  const { sessions } = ctx.deps;
  const cookie = await sessions.open(user.id, {
    ...proof,
    userAgent: ctx.userAgent,
    address: ctx.clientIp === '' ? null : ctx.clientIp,
  });
  if (cookie === null) return null;
  if (ctx.session !== null) await sessions.end(ctx.session.id);
  ctx.setCookie(cookie);
  await noticeDevice(ctx, user);
  return { next: 'console', emailVerified: user.emailVerifiedAt !== null };
}
