import {
  acceptInvitation,
  type Joined,
  type ReceivedInvitation,
} from '@tollgate/db/queries/team/answer-invite';
import type { User } from '@tollgate/db/queries/users/users';
import type { Context } from '../context.ts';
import { findOpenInvitation, finishJoining } from './answer-invitation.ts';
import { joinTicket } from './join-ticket.ts';

/** The account that a user joined by signing in. */
export type JoinedAccount = Pick<Joined, 'accountId' | 'accountName'>;

/**
 * Accepts the invitation that this browser's user chose to join by signing in.
 * @returns null if there is none for this login
 */
export async function joinAtEntry(ctx: Context, user: User): Promise<JoinedAccount | null> {
  const { deps } = ctx;
  const invitation = await findInvitationToAccept(ctx);
  if (joinTicket.read(ctx) !== null) ctx.setCookie(joinTicket.blank(deps));
  if (invitation === null || invitation.email !== user.email || user.emailVerifiedAt === null) return null;
  const now = new Date(deps.clock.nowMs());
  const { id: userId, email } = user;
  const joined = await acceptInvitation(deps.db, { invitationId: invitation.id, userId, email, now });
  if (joined === null) return null;
  await finishJoining(deps, joined, user);
  const { accountId, accountName } = joined;
  return { accountId, accountName };
}

/** The open invitation that this browser's user chose to join by signing in; null: none. */
export async function findInvitationToAccept(ctx: Context): Promise<ReceivedInvitation | null> {
  const ticket = joinTicket.read(ctx);
  return ticket === null ? null : findOpenInvitation(ctx, ticket.token);
}
