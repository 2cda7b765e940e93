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

/** An invitation as the one who was invited sees it. */
export interface InvitationView {
  id: string;
  accountName: string;
  /** To whom it was sent: no one else may accept. */
  email: string;
  role: InvitableRole;
  /** null: the person is gone. */
  invitedByEmail: string | null;
  expiresAt: string;
  state: 'open' | 'accepted' | 'withdrawn' | 'expired';
}

type SignedInContext = Context & { session: ActiveSession };

/** Anyone who holds the email's link may read what it is about. @throws NOT_FOUND also for the link of an older mail */
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
    state: stateOf(invitation, nowMs),
  };
}

/** Makes the person who is signed in a member; notifies the person who invited them. */
export async function accept(ctx: SignedInContext, invitationId: string): Promise<Joined> {
  const { deps } = ctx;
  const joined = await acceptInvitation(deps.db, answerOf(ctx, invitationId));
  if (joined === null) throw notFound('invitation');
  await tellInviter(ctx, joined);
  return joined;
}

export async function decline(ctx: SignedInContext, invitationId: string): Promise<void> {
  if (!(await declineInvitation(ctx.deps.db, answerOf(ctx, invitationId)))) throw notFound('invitation');
}

/** @throws FORBIDDEN without a proven address: another person's would do */
function answerOf(ctx: SignedInContext, invitationId: string) {
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

function stateOf(invitation: ReceivedInvitation, nowMs: number): InvitationView['state'] {
  if (invitation.acceptedAt !== null) return 'accepted';
  if (invitation.withdrawnAt !== null) return 'withdrawn';
  return invitation.expiresAt.getTime() <= nowMs ? 'expired' : 'open';
}
