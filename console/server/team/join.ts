import { recordAudit } from '@tollgate/db/queries/audit/audit';
import {
  acceptInvitation,
  type Joined,
  type ReceivedInvitation,
} from '@tollgate/db/queries/team/answer-invite';
import { markEmailVerified } from '@tollgate/db/queries/users/verify-email';
import {
  createUserWithAccount,
  findUserByEmail,
  findUserById,
  lockUser,
  type User,
} from '@tollgate/db/queries/users/users';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import { checkNewPassword } from '../auth/check-new-password.ts';
import { enter, type Entry } from '../auth/enter.ts';
import { throttle } from '../auth/throttle.ts';
import type { Context } from '../context.ts';
import { deny, notFound } from '../denial.ts';
import { findOpenInvitation, finishJoining } from './answer-invitation.ts';
import { joinTicket } from './join-ticket.ts';

/** Accepts the invitation of a link with the next sign-in of this browser. */
export async function joinAtSignIn(ctx: Context, token: string): Promise<void> {
  await throttle(ctx, { codeByIp: [ctx.clientIp] });
  if ((await findOpenInvitation(ctx, token)) === null) throw notFound('invitation');
  ctx.setCookie(joinTicket.issue(ctx.deps, { token }));
}

/**
 * Creates the login of an invitee and makes them a member. The token was sent only to their address, so it proves the
 * address like a verification link does. It never opens a login whose owner has verified it.
 */
export async function joinWithPassword(
  ctx: Context,
  { token, password }: { token: string; password: string },
): Promise<Entry> {
  const { deps } = ctx;
  await throttle(ctx, { signUpByIp: [ctx.clientIp] });
  const invitation = await findOpenInvitation(ctx, token);
  if (invitation === null) throw notFound('invitation');
  checkNewPassword(password, invitation.email, 'password');
  const passwordHash = await deps.passwords.hash(password);
  const { user, joined } = await inTransaction(deps.db, async (tx) => {
    const owner = await createInvitee(tx, ctx, { email: invitation.email, passwordHash });
    return { user: owner, joined: await joinAs(tx, ctx, owner, invitation) };
  });
  await finishJoining(deps, joined, user);
  const entry = await enter(ctx, user, null);
  if (entry === null) throw new Error('A sign-in without a password was refused because of a password');
  const { accountId, accountName } = joined;
  return entry.next === 'console' ? { ...entry, joined: { accountId, accountName } } : entry;
}

/**
 * Creates the login of an address that an emailed token proved, or verifies one that was signed up and never verified.
 * @throws BAD_REQUEST with `data.reason` `has_login` if its owner has verified it
 */
export async function createInvitee(
  tx: Connection,
  { deps }: Context,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<User> {
  const at = new Date(deps.clock.nowMs());
  const created = await createUserWithAccount(tx, { email, passwordHash, emailVerifiedAt: at });
  const found = created === null ? await findUserByEmail(tx, email) : created.user;
  const user = found === null ? null : await lockUser(tx, found.id);
  if (user === null) throw new Error('The user was deleted while joining');
  if (created === null && !(await markEmailVerified(tx, { user, at, passwordHash })))
    throw deny('BAD_REQUEST', 'You already have a login. Sign in to join.', { reason: 'has_login' });
  await recordAudit(tx, { actorUserId: user.id, action: 'user.email_verified', subject: user.id });
  return (await findUserById(tx, user.id)) ?? user;
}

async function joinAs(
  tx: Connection,
  { deps }: Context,
  { id: userId, email }: User,
  { id: invitationId }: ReceivedInvitation,
): Promise<Joined> {
  const now = new Date(deps.clock.nowMs());
  const joined = await acceptInvitation(tx, { invitationId, userId, email, now });
  if (joined === null) throw notFound('invitation');
  return joined;
}
