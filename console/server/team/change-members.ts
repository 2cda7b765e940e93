import type { InvitableRole } from '@tollgate/core/people/roles';
import { findAccountName } from '@tollgate/db/queries/accounts/account-name';
import {
  changeMemberRole,
  leaveAccount,
  removeMember,
  transferOwnership,
  type MemberDenialReason,
} from '@tollgate/db/queries/team/change-members';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import { queueMail } from '@tollgate/mail/queue-mail';
import { linkTo } from '../auth/links.ts';
import type { Context } from '../context.ts';
import { deny, notFound } from '../denial.ts';
import { ownershipGivenMail, ownershipReceivedMail, removedMail } from '../mail/team-templates.ts';
import type { ActiveSession } from '../sessions.ts';

type SignedInContext = Context & { session: ActiveSession };

interface Target {
  accountId: string;
  userId: string;
}

export async function changeRole(
  ctx: SignedInContext,
  change: Target & { role: InvitableRole },
): Promise<void> {
  const result = await changeMemberRole(ctx.deps.db, { ...change, actorUserId: ctx.session.user.id });
  if (!result.ok) throw denyChange(result.reason);
}

/** Removes a member from the account and notifies them. Access ends with the next request. */
export async function remove(ctx: SignedInContext, target: Target): Promise<void> {
  const { deps } = ctx;
  const now = new Date(deps.clock.nowMs());
  await inTransaction(deps.db, async (tx) => {
    const result = await removeMember(tx, { ...target, actorUserId: ctx.session.user.id, now });
    if (!result.ok) throw denyChange(result.reason);
    const accountName = await getName(tx, target.accountId);
    await queueMail(tx, deps.sealer, { recipient: result.email, mail: removedMail({ accountName }) });
  });
  deps.onMailQueued();
}

export async function leave(ctx: SignedInContext, accountId: string): Promise<void> {
  const now = new Date(ctx.deps.clock.nowMs());
  const result = await leaveAccount(ctx.deps.db, { accountId, userId: ctx.session.user.id, now });
  if (result.ok) return;
  throw result.reason === 'owner'
    ? deny('BAD_REQUEST', 'You own this account. Transfer ownership first.')
    : denyChange(result.reason);
}

/** Transfers the account and notifies both users. */
export async function transfer(ctx: SignedInContext, target: Target): Promise<void> {
  const { deps } = ctx;
  const { user } = ctx.session;
  await inTransaction(deps.db, async (tx) => {
    const result = await transferOwnership(tx, { ...target, actorUserId: user.id });
    if (!result.ok) throw denyChange(result.reason);
    const accountName = await getName(tx, target.accountId);
    const link = linkTo(deps.settings, 'team', target.accountId);
    const received = ownershipReceivedMail({ accountName, from: user.email, link });
    await queueMail(tx, deps.sealer, { recipient: result.email, mail: received });
    const forgotLink = linkTo(deps.settings, 'forgot');
    const given = ownershipGivenMail({ accountName, to: result.email, forgotLink });
    await queueMail(tx, deps.sealer, { recipient: user.email, mail: given });
  });
  deps.onMailQueued();
}

async function getName(tx: Connection, accountId: string): Promise<string> {
  const name = await findAccountName(tx, accountId);
  if (name === null) throw notFound('account');
  return name;
}

function denyChange(reason: MemberDenialReason) {
  switch (reason) {
    case 'role':
      return deny('FORBIDDEN', 'Your role does not allow this.', { reason: 'role' });
    case 'no_such_member':
      return notFound('member');
    case 'owner':
      return deny('FORBIDDEN', 'You cannot change or remove the owner. The owner can transfer ownership.', {
        reason: 'role',
      });
    case 'self':
      return deny('BAD_REQUEST', 'You cannot change your own role. You can leave the account.');
    case 'unverified':
      return deny('BAD_REQUEST', 'This person must verify their email address first.');
  }
}
