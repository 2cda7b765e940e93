import { findTotp } from '@tollgate/db/queries/users/second-factors';
import type { User } from '@tollgate/db/queries/users/users';
import type { Context } from '../context.ts';
import type { SessionOpening } from '../sessions.ts';
import { joinAtEntry, type JoinedAccount } from '../team/join-at-entry.ts';
import { noticeDevice } from './notice-device.ts';
import { secondFactorTicket } from './second-factor-ticket.ts';

/** Result of the first factor: signed in, or a code is required. */
export type Entry =
  | {
      next: 'console';
      emailVerified: boolean;
      /** The account that the user joined by signing in; absent: none. */
      joined?: JoinedAccount;
    }
  | { next: 'second_factor' };

/**
 * Signs in a user who passed the first factor, or issues the ticket for the second step if the login has an
 * authenticator. Every way to sign in calls this, so none can skip the second step.
 * @param checkedPasswordHash the hash that the password was checked against; null: another first factor
 * @returns null if the password has changed since it was checked
 */
export async function enter(
  ctx: Context,
  user: User,
  checkedPasswordHash: string | null,
): Promise<Entry | null> {
  const totp = await findTotp(ctx.deps.db, user.id);
  if (totp !== null && totp.confirmedAt !== null) {
    ctx.setCookie(secondFactorTicket.issue(ctx.deps, { userId: user.id, checkedPasswordHash }));
    return { next: 'second_factor' };
  }
  return enterFully(ctx, user, { checkedPasswordHash, hasSecondFactor: false });
}

/** Opens a session for a user who passed all required factors. */
export async function enterFully(
  ctx: Context,
  user: User,
  factors: Pick<SessionOpening, 'checkedPasswordHash' | 'hasSecondFactor'>,
): Promise<Entry | null> {
  const { sessions } = ctx.deps;
  const cookie = await sessions.open(user.id, {
    ...factors,
    userAgent: ctx.userAgent,
    address: ctx.clientIp === '' ? null : ctx.clientIp,
  });
  if (cookie === null) return null;
  if (ctx.session !== null) await sessions.end(ctx.session.id);
  ctx.setCookie(cookie);
  await noticeDevice(ctx, user);
  const joined = await joinAtEntry(ctx, user);
  return {
    next: 'console',
    emailVerified: user.emailVerifiedAt !== null,
    ...(joined !== null && { joined }),
  };
}
