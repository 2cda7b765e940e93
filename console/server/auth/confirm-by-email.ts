import { hasPassword } from '@tollgate/auth/password';
import { revokeCodes, spendCode } from '@tollgate/db/queries/users/codes';
import { lockUser } from '@tollgate/db/queries/users/users';
import { inTransaction } from '@tollgate/db/transaction';
import { queueMail } from '@tollgate/mail/queue-mail';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import { confirmIdentityMail } from '../mail/security-templates.ts';
import type { ActiveSession } from '../sessions.ts';
import { confirmSession } from './confirm-identity.ts';
import { keepDevice, readDevice } from './device.ts';
import { issueCode } from './issue-code.ts';
import { linkTo } from './links.ts';
import { RESEND_AFTER_SECONDS, throttle, type Resend } from './throttle.ts';

const PURPOSE = 'confirm_identity';

type SignedInContext = Context & { session: ActiveSession };

/** Emails a code with which a user without a password re-authenticates. A new code replaces the last one. */
export async function sendConfirmationCode(ctx: SignedInContext): Promise<Resend> {
  const { deps } = ctx;
  const { id: userId, emailVerified } = ctx.session.user;
  if (!emailVerified)
    throw deny('FORBIDDEN', 'Verify your email address first.', { reason: 'email_not_verified' });
  await throttle(ctx, { confirmMailByUser: [userId], confirmMailsByUser: [userId] });
  const browser = keepDevice(ctx);
  await inTransaction(deps.db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (user === null || hasPassword(user))
      throw deny('BAD_REQUEST', 'Your login has a password. Confirm with it.', { field: 'password' });
    await revokeCodes(tx, userId, PURPOSE);
    const { email } = user;
    const { code } = await issueCode(tx, deps, { purpose: PURPOSE, userId, email, browser });
    const mail = confirmIdentityMail({ code, settingsLink: linkTo(deps.settings, 'settings') });
    await queueMail(tx, deps.sealer, { recipient: email, mail });
  });
  deps.onMailQueued();
  return { resendAfterSeconds: RESEND_AFTER_SECONDS };
}

/** Re-authenticates with the emailed code: once, within 15 minutes, with five attempts, in the browser that asked. */
export async function confirmByCode(ctx: SignedInContext, code: string): Promise<void> {
  const { deps, session } = ctx;
  const { id: userId } = session.user;
  await throttle(ctx, { passwordBySession: [session.id], codeByUserAndIp: [userId, ctx.clientIp] });
  // A wrong code must be counted, so the denial is thrown after the commit.
  const isRight = await inTransaction(deps.db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (user === null || hasPassword(user)) return false;
    const spent = await spendCode(tx, {
      purpose: PURPOSE,
      userId,
      browser: readDevice(ctx),
      computeHash: (codeId) => deps.hashCode(codeId, code),
      nowMs: deps.clock.nowMs(),
    });
    return spent?.email === user.email;
  });
  if (!isRight)
    throw deny('BAD_REQUEST', 'The code is wrong or has expired. Request a new code.', { field: 'code' });
  await confirmSession(ctx);
}
