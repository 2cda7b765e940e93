import { hashLinkToken } from '@tollgate/auth/one-time-code';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { findFamiliarity } from '@tollgate/db/queries/users/known-devices';
import { findLinkOwner, revokeCodes, spendLink } from '@tollgate/db/queries/users/codes';
import { spendOperatorInvite } from '@tollgate/db/queries/users/operator-invite';
import { markEmailVerified } from '@tollgate/db/queries/users/verify-email';
import { deleteSessionsOfUser } from '@tollgate/db/queries/users/sessions';
import {
  findUserByEmail,
  findUserById,
  lockUser,
  setPasswordHash,
  type User,
} from '@tollgate/db/queries/users/users';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import { queueMail } from '@tollgate/mail/queue-mail';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import { passwordChangedMail, resetPasswordMail } from '../mail/templates.ts';
import { answerEvenly } from './answer-evenly.ts';
import { checkNewPassword } from './check-new-password.ts';
import { readDevice } from './device.ts';
import { enter, type Entry } from './enter.ts';
import { issueCode } from './issue-code.ts';
import { linkTo } from './links.ts';
import { countHits, RESEND_AFTER_SECONDS, throttle, type Resend } from './throttle.ts';

const PURPOSE = 'reset_password';

/**
 * Emails a link that sets a new password. The response is the same whether the address is known, unknown or has had
 * enough emails. Earlier links stay valid, so that a stranger's request does not invalidate the owner's link.
 */
export async function requestPasswordReset(ctx: Context, email: string): Promise<Resend> {
  const { deps } = ctx;
  await throttle(ctx, { mailByIp: [ctx.clientIp], resetMailByEmailAndIp: [email, ctx.clientIp] });
  return answerEvenly(deps.settings.answerFloorMs, async () => {
    await inTransaction(deps.db, async (tx) => {
      const user = await findUserByEmail(tx, email);
      if (user === null || !(await mayMailReset(tx, ctx, user))) return;
      const { token } = await issueCode(tx, deps, {
        purpose: PURPOSE,
        userId: user.id,
        email: user.email,
        browser: null,
      });
      const mail = resetPasswordMail({ link: linkTo(deps.settings, 'reset', token) });
      await queueMail(tx, deps.sealer, { recipient: user.email, mail });
    });
    deps.onMailQueued();
    return { resendAfterSeconds: RESEND_AFTER_SECONDS };
  });
}

/** A browser that has signed in before has a separate budget, which strangers cannot use up. */
async function mayMailReset(tx: Connection, ctx: Context, user: User): Promise<boolean> {
  const device = readDevice(ctx);
  const familiarity = await findFamiliarity(tx, { userId: user.id, device, address: null });
  const budget =
    device !== null && familiarity === 'device'
      ? { resetMailByDevice: [user.id, device.toString('hex')] }
      : { resetMailByEmail: [user.email] };
  return (await countHits(tx, ctx, budget)).ok;
}

/**
 * Sets a new password with an emailed link, which also verifies the email, ends every session and opens a new one.
 * The mailbox is not a second factor: if the login has one, it is required as in any sign-in.
 */
export async function resetPassword(
  ctx: Context,
  input: { token: string; password: string },
): Promise<Entry> {
  const { deps } = ctx;
  await throttle(ctx, { codeByIp: [ctx.clientIp] });
  const link = {
    purpose: PURPOSE,
    tokenHash: hashLinkToken(input.token),
    nowMs: deps.clock.nowMs(),
  } as const;
  const userId = await findLinkOwner(deps.db, link);
  const user = userId === null ? null : await findUserById(deps.db, userId);
  if (user === null) throw denyLink();
  // Before the link is spent: a refused password does not cost it.
  checkNewPassword(input.password, user.email, 'password');
  const passwordHash = await deps.passwords.hash(input.password);
  const isDone = await inTransaction(deps.db, (tx) =>
    setPasswordByLink(tx, ctx, { userId: user.id, passwordHash, link }),
  );
  if (!isDone) throw denyLink();
  deps.onMailQueued();
  const changed = await findUserById(deps.db, user.id);
  const entry = changed === null ? null : await enter(ctx, changed, passwordHash);
  if (entry === null) throw denyLink();
  return entry;
}

async function setPasswordByLink(
  tx: Connection,
  ctx: Context,
  reset: { userId: string; passwordHash: string; link: Parameters<typeof spendLink>[1] },
): Promise<boolean> {
  const { deps } = ctx;
  const { userId } = reset;
  const user = await lockUser(tx, userId);
  const spent = await spendLink(tx, reset.link);
  if (user === null || spent?.email !== user.email) return false;
  const nowMs = deps.clock.nowMs();
  await markEmailVerified(tx, { user, at: new Date(nowMs), passwordHash: reset.passwordHash });
  await setPasswordHash(tx, userId, reset.passwordHash);
  await deleteSessionsOfUser(tx, userId);
  await revokeCodes(tx, userId);
  await recordAudit(tx, { actorUserId: userId, action: 'user.password_reset', subject: userId });
  if (await spendOperatorInvite(tx, { userId, nowMs }))
    await recordAudit(tx, { actorUserId: userId, action: 'user.became_operator', subject: userId });
  const mail = passwordChangedMail({ forgotLink: linkTo(deps.settings, 'forgot') });
  await queueMail(tx, deps.sealer, { recipient: user.email, mail });
  return true;
}

function denyLink() {
  return deny('BAD_REQUEST', 'This link has expired or was already used. Request a new link.', {
    field: 'token',
  });
}
