import { hashLinkToken } from '@tollgate/auth/one-time-code';
import type { InvitableRole } from '@tollgate/core/people/roles';
import { listBillingEmails } from '@tollgate/db/queries/system/alerts';
import {
  acceptInvitation,
  declineInvitation,
  findInvitationByToken,
  type Joined,
  type ReceivedInvitation,
} from '@tollgate/db/queries/team/answer-invite';
import { setLastAccount } from '@tollgate/db/queries/team/members';
import { findUserByEmail } from '@tollgate/db/queries/users/users';
import { queueMail } from '@tollgate/mail/queue-mail';
import { linkTo } from '../auth/links.ts';
import type { Context } from '../context.ts';
import type { Deps } from '../deps.ts';
import { deny, notFound } from '../denial.ts';
import { joinedMail } from '../mail/team-templates.ts';
import type { ActiveSession } from '../sessions.ts';

/** An invitation as the invitee sees it. */
export interface InvitationView {
  id: string;
  accountName: string;
  /** To whom it was sent: no one else may accept. */
  email: string;
  role: InvitableRole;
  /** null: the user was deleted. */
  invitedByEmail: string | null;
  expiresAt: string;
  state: 'open' | 'accepted' | 'withdrawn' | 'expired';
}

/** An invitation whose link the visitor has opened: they have the mailbox. */
export interface LinkedInvitation extends InvitationView {
  /** A login with a verified email exists for this address: its owner signs in to accept. */
  hasLogin: boolean;
}

type SignedInContext = Context & { session: ActiveSession };

/** The link in the email gives read access. @throws NOT_FOUND also for the link of an older email */
export async function readInvitation(ctx: Context, token: string): Promise<LinkedInvitation> {
  const { db, clock } = ctx.deps;
  const found = await findInvitationByToken(db, hashLinkToken(token));
  if (found === null) throw notFound('invitation');
  const user = await findUserByEmail(db, found.email);
  return {
    ...toInvitationView(found, clock.nowMs()),
    hasLogin: user !== null && user.emailVerifiedAt !== null,
  };
}

/** The open invitation of a link; null if it is unknown, answered or expired. */
export async function findOpenInvitation(ctx: Context, token: string): Promise<ReceivedInvitation | null> {
  const found = await findInvitationByToken(ctx.deps.db, hashLinkToken(token));
  return found !== null && getState(found, ctx.deps.clock.nowMs()) === 'open' ? found : null;
}

export function toInvitationView(invitation: ReceivedInvitation, nowMs: number): InvitationView {
  const { id, accountName, email, role, invitedByEmail } = invitation;
  return {
    id,
    accountName,
    email,
    role,
    invitedByEmail,
    expiresAt: invitation.expiresAt.toISOString(),
    state: getState(invitation, nowMs),
  };
}

/** Makes the signed-in user a member; notifies the user who invited them. */
export async function accept(ctx: SignedInContext, invitationId: string): Promise<Joined> {
  const joined = await acceptInvitation(ctx.deps.db, getAnswer(ctx, invitationId));
  if (joined === null) throw notFound('invitation');
  await finishJoining(ctx.deps, joined, ctx.session.user);
  return joined;
}

/** The account opens next on every device of the new member, and the user who invited them is notified. */
export async function finishJoining(
  deps: Deps,
  joined: Joined,
  member: { id: string; email: string },
): Promise<void> {
  await setLastAccount(deps.db, { userId: member.id, accountId: joined.accountId });
  await tellInviter(deps, joined, member.email);
}

export async function decline(ctx: SignedInContext, invitationId: string): Promise<void> {
  if (!(await declineInvitation(ctx.deps.db, getAnswer(ctx, invitationId)))) throw notFound('invitation');
}

/** @throws FORBIDDEN if the address is not verified: it could belong to someone else */
function getAnswer(ctx: SignedInContext, invitationId: string) {
  const { user } = ctx.session;
  if (!user.emailVerified)
    throw deny('FORBIDDEN', 'Verify your email address first.', { reason: 'email_not_verified' });
  return { invitationId, userId: user.id, email: user.email, now: new Date(ctx.deps.clock.nowMs()) };
}

/** Only while they may see the team: they may have lost their place since. */
async function tellInviter(deps: Deps, joined: Joined, email: string): Promise<void> {
  const { accountId, accountName, role, invitedByEmail } = joined;
  if (invitedByEmail === null) return;
  const managers = await listBillingEmails(deps.db, accountId);
  if (!managers.includes(invitedByEmail)) return;
  const mail = joinedMail({ accountName, email, role, link: linkTo(deps.settings, 'team', accountId) });
  await queueMail(deps.db, deps.sealer, { recipient: invitedByEmail, mail });
  deps.onMailQueued();
}

function getState(invitation: ReceivedInvitation, nowMs: number): InvitationView['state'] {
  if (invitation.acceptedAt !== null) return 'accepted';
  if (invitation.withdrawnAt !== null) return 'withdrawn';
  return invitation.expiresAt.getTime() <= nowMs ? 'expired' : 'open';
}
