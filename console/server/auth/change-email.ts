import { hashLinkToken } from '@tollgate/auth/one-time-code';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import {
  findLinkOwner,
  revokeCodes,
  spendCode,
  spendLink,
  type SpentCode,
} from '@tollgate/db/queries/users/codes';
import { spendOperatorInvite } from '@tollgate/db/queries/users/operator-invite';
import { changeUserEmail, findUserByEmail, findUserById, lockUser } from '@tollgate/db/queries/users/users';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import { queueMail } from '@tollgate/mail/queue-mail';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import {
  addressTakenMail,
  confirmEmailMail,
  emailChangedMail,
  emailChangeRequestedMail,
} from '../mail/templates.ts';
import type { ActiveSession } from '../sessions.ts';
import { checkCurrentPassword } from './confirm-identity.ts';
import { answerEvenly } from './answer-evenly.ts';
import { keepDevice, readDevice } from './device.ts';
import { issueCode } from './issue-code.ts';
import { linkTo } from './links.ts';
import { RESEND_AFTER_SECONDS, throttle, type Resend } from './throttle.ts';

const PURPOSE = 'change_email';

type SignedInContext = Context & { session: ActiveSession };
type Confirmation = { code: string } | { token: string };

/** Emails a code and a link to the new address and a notice to the old one. Nothing changes before confirmation. */
export async function requestEmailChange(
  ctx: SignedInContext,
  input: { email: string; password?: string | undefined },
): Promise<Resend> {
  const { deps } = ctx;
  const userId = ctx.session.user.id;
  await throttle(ctx, { passwordBySession: [ctx.session.id] });
  const user = await findUserById(deps.db, userId);
  const { password } = input;
  await checkCurrentPassword(ctx, user, { password, field: 'password', message: 'Wrong password.' });
  if (input.email === user?.email)
    throw deny('BAD_REQUEST', 'This is already your email address.', { field: 'email' });
  await throttle(ctx, {
    changeMailByUser: [userId],
    changeMailsByUser: [userId],
    changeMailByEmail: [input.email],
  });
  const browser = keepDevice(ctx);
  return answerEvenly(deps.settings.answerFloorMs, async () => {
    await inTransaction(deps.db, (tx) => sendConfirmation(tx, ctx, { email: input.email, browser }));
    deps.onMailQueued();
    return { resendAfterSeconds: RESEND_AFTER_SECONDS };
  });
}

async function sendConfirmation(
  tx: Connection,
  ctx: SignedInContext,
  { email, browser }: { email: string; browser: Buffer },
): Promise<void> {
  const { deps } = ctx;
  const user = await lockUser(tx, ctx.session.user.id);
  if (user === null) return;
  await revokeCodes(tx, user.id, PURPOSE);
  // Only the owner of the address learns that it has an account.
  if ((await findUserByEmail(tx, email)) !== null) {
    const mail = addressTakenMail({ signInLink: linkTo(deps.settings, 'signIn') });
    await queueMail(tx, deps.sealer, { recipient: email, mail });
  } else {
    const { code, token } = await issueCode(tx, deps, { purpose: PURPOSE, userId: user.id, email, browser });
    const mail = confirmEmailMail({ code, link: linkTo(deps.settings, 'confirmEmail', token) });
    await queueMail(tx, deps.sealer, { recipient: email, mail });
  }
  const notice = emailChangeRequestedMail({ forgotLink: linkTo(deps.settings, 'forgot') });
  await queueMail(tx, deps.sealer, { recipient: user.email, mail: notice });
}

/** Confirms the new address, which then replaces the address of the signed-in user. */
export async function confirmEmailChange(
  ctx: SignedInContext,
  confirmation: Confirmation,
): Promise<{ email: string }> {
  const { deps } = ctx;
  await throttle(ctx, { codeByUserAndIp: [ctx.session.user.id, ctx.clientIp] });
  // A wrong code must be counted, so the denial is thrown after the commit.
  const outcome = await inTransaction(deps.db, (tx) => changeConfirmed(tx, ctx, confirmation));
  if (outcome.ok) {
    deps.onMailQueued();
    return { email: outcome.email };
  }
  throw denyOutcome(outcome.reason, confirmation);
}

type DenialReason = 'wrong_code' | 'taken';
type Outcome = { ok: true; email: string } | { ok: false; reason: DenialReason };

async function changeConfirmed(
  tx: Connection,
  ctx: SignedInContext,
  confirmation: Confirmation,
): Promise<Outcome> {
  const { deps } = ctx;
  const user = await lockUser(tx, ctx.session.user.id);
  const spent = user === null ? null : await redeemConfirmation(tx, ctx, confirmation);
  if (user === null || spent === null) return { ok: false, reason: 'wrong_code' };
  const nowMs = deps.clock.nowMs();
  const { email } = spent;
  if (!(await changeUserEmail(tx, { user, email, verifiedAt: new Date(nowMs) })))
    return { ok: false, reason: 'taken' };
  // Links to the old mailbox must not open the account any more.
  await revokeCodes(tx, user.id);
  await recordAudit(tx, { actorUserId: user.id, action: 'user.email_changed', subject: user.id });
  if (await spendOperatorInvite(tx, { userId: user.id, nowMs }))
    await recordAudit(tx, { actorUserId: user.id, action: 'user.became_operator', subject: user.id });
  await queueMail(tx, deps.sealer, { recipient: user.email, mail: emailChangedMail() });
  return { ok: true, email };
}

async function redeemConfirmation(
  tx: Connection,
  ctx: SignedInContext,
  confirmation: Confirmation,
): Promise<SpentCode | null> {
  const { clock, hashCode } = ctx.deps;
  const userId = ctx.session.user.id;
  const nowMs = clock.nowMs();
  const browser = readDevice(ctx);
  if ('code' in confirmation) {
    const computeHash = (codeId: string) => hashCode(codeId, confirmation.code);
    return spendCode(tx, { purpose: PURPOSE, userId, browser, computeHash, nowMs });
  }
  const link = { purpose: PURPOSE, tokenHash: hashLinkToken(confirmation.token), nowMs } as const;
  if ((await findLinkOwner(tx, link)) !== userId) return null;
  return spendLink(tx, link);
}

function denyOutcome(reason: DenialReason, confirmation: Confirmation) {
  const field = 'code' in confirmation ? 'code' : 'token';
  const sentences = {
    taken: 'This address belongs to another account.',
    wrong_code:
      field === 'code'
        ? 'The code is wrong or has expired. Use the newest email, or request a new code.'
        : 'This link has expired, was already used or belongs to another account. Request a new link.',
  } satisfies Record<DenialReason, string>;
  return deny('BAD_REQUEST', sentences[reason], { field });
}
