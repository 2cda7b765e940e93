import { mintLinkToken } from '@tollgate/auth/one-time-code';
import type { InvitableRole } from '@tollgate/core/people/roles';
import { findAccountName } from '@tollgate/db/queries/accounts/account-name';
import {
  createInvitation,
  findOpenInvitationEmail,
  renewInvitation,
  type InviteResult,
} from '@tollgate/db/queries/team/invites';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import { queueMail } from '@tollgate/mail/queue-mail';
import { linkTo } from '../auth/links.ts';
import { throttle } from '../auth/throttle.ts';
import type { Context } from '../context.ts';
import { deny, notFound } from '../denial.ts';
import { invitationMail } from '../mail/team-templates.ts';
import type { ActiveSession } from '../sessions.ts';

const LIFE_DAYS = 7;
const DAY_MS = 86_400_000;

type SignedInContext = Context & { session: ActiveSession };

/** Invites an address to an account, whether someone of this installation has it or not: the email is the same. */
export async function invite(
  ctx: SignedInContext,
  order: { accountId: string; email: string; role: InvitableRole },
): Promise<void> {
  const { deps } = ctx;
  const actorUserId = ctx.session.user.id;
  await throttleMail(ctx, order.accountId, order.email);
  const { token, mailing } = mintMailing(deps.clock.nowMs());
  const result = await inTransaction(deps.db, async (tx) => {
    const created = await createInvitation(tx, { ...order, ...mailing, actorUserId });
    if (created.ok) await queueInvitation(tx, ctx, { ...order, token });
    return created;
  });
  if (!result.ok) throw denyInvite(result.reason, order.email);
  deps.onMailQueued();
}

/** Sends an open invitation once more, with a new link and more time. */
export async function resendInvitation(
  ctx: SignedInContext,
  order: { accountId: string; invitationId: string },
): Promise<void> {
  const { deps } = ctx;
  const { accountId } = order;
  const email = await findOpenInvitationEmail(deps.db, order);
  if (email === null) throw notFound('invitation');
  await throttleMail(ctx, accountId, email);
  const { token, mailing } = mintMailing(deps.clock.nowMs());
  const isSent = await inTransaction(deps.db, async (tx) => {
    const renewed = await renewInvitation(tx, { ...order, ...mailing, actorUserId: ctx.session.user.id });
    if (renewed === null) return false;
    await queueInvitation(tx, ctx, { accountId, ...renewed, token });
    return true;
  });
  if (!isSent) throw notFound('invitation');
  deps.onMailQueued();
}

async function throttleMail(ctx: SignedInContext, accountId: string, email: string): Promise<void> {
  await throttle(ctx, {
    inviteByUser: [ctx.session.user.id],
    inviteByAccountAndEmail: [accountId, email],
    inviteMailByEmail: [email],
    inviteMailByEmailAndDay: [email],
  });
}

function mintMailing(nowMs: number) {
  const { token, hash: tokenHash } = mintLinkToken();
  const expiresAt = new Date(nowMs + LIFE_DAYS * DAY_MS);
  return { token, mailing: { tokenHash, now: new Date(nowMs), expiresAt } };
}

async function queueInvitation(
  tx: Connection,
  ctx: SignedInContext,
  letter: { accountId: string; email: string; role: InvitableRole; token: string },
): Promise<void> {
  const { deps } = ctx;
  const accountName = await findAccountName(tx, letter.accountId);
  if (accountName === null) throw notFound('account');
  const mail = invitationMail({
    accountName,
    invitedByEmail: ctx.session.user.email,
    role: letter.role,
    link: linkTo(deps.settings, 'join', letter.token),
    days: LIFE_DAYS,
  });
  await queueMail(tx, deps.sealer, { recipient: letter.email, mail });
}

function denyInvite(reason: Extract<InviteResult, { ok: false }>['reason'], email: string) {
  switch (reason) {
    case 'role':
      return deny('FORBIDDEN', 'Your role does not allow you to invite members.', {
        reason: 'role',
      });
    case 'member':
      return deny('BAD_REQUEST', `${email} is already a member of this account.`, { field: 'email' });
    case 'invited':
      return deny('BAD_REQUEST', `${email} is already invited. Send that invitation again.`, {
        field: 'email',
      });
    case 'too_many':
      return deny('BAD_REQUEST', 'Too many pending invitations. Withdraw some of them first.');
  }
}
