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
import { queueMail } from '@tollgate/mail/queue-mail';
import { linkTo } from '../auth/links.ts';
import type { Context } from '../context.ts';
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

type SignedInContext = Context & { session: ActiveSession };

/** The link in the email gives read access. @throws NOT_FOUND also for the link of an older email */
export async function readInvitation(ctx: Context, token: string): Promise<InvitationView> {
  const found = await findInvitationByToken(ctx.deps.db, hashLinkToken(token));
  if (found === null) throw notFound('invitation');
  return toInvitationView(found, ctx.deps.clock.nowMs());
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
  const { deps } = ctx;
  const joined = await acceptInvitation(deps.db, getAnswer(ctx, invitationId));
  if (joined === null) throw notFound('invitation');
  await tellInviter(ctx, joined);
  return joined;
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
async function tellInviter(ctx: SignedInContext, joined: Joined): Promise<void> {
  const { deps } = ctx;
  const { accountId, accountName, role, invitedByEmail } = joined;
  if (invitedByEmail === null) return;
  const managers = await listBillingEmails(deps.db, accountId);
  if (!managers.includes(invitedByEmail)) return;
  const { email } = ctx.session.user;
  const mail = joinedMail({ accountName, email, role, link: linkTo(deps.settings, 'team', accountId) });
  await queueMail(deps.db, deps.sealer, { recipient: invitedByEmail, mail });
  deps.onMailQueued();
}

function getState(invitation: ReceivedInvitation, nowMs: number): InvitationView['state'] {
  if (invitation.acceptedAt !== null) return 'accepted';
  if (invitation.withdrawnAt !== null) return 'withdrawn';
  return invitation.expiresAt.getTime() <= nowMs ? 'expired' : 'open';
}
