import { normalizeRecoveryCode } from '@tollgate/auth/recovery-code';
import { findTotpStep } from '@tollgate/auth/totp';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import {
  countRecoveryCodes,
  lockTotp,
  markTotpUsed,
  spendRecoveryCode,
} from '@tollgate/db/queries/users/second-factors';
import { findUserById } from '@tollgate/db/queries/users/users';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import { queueMail } from '@tollgate/mail/queue-mail';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import { recoveryCodeUsedMail } from '../mail/security-templates.ts';
import { countAttempt } from './count-attempt.ts';
import { linkTo } from './links.ts';

/**
 * Checks a code of a user's authenticator, or one of their recovery codes: each works once. Attempts are counted
 * before they are checked.
 * @returns false if the code is wrong or used, or the user has no authenticator
 */
export async function checkSecondFactor(ctx: Context, userId: string, typed: string): Promise<boolean> {
  const user = await findUserById(ctx.deps.db, userId);
  const attempt = await countAttempt(ctx, { step: 'code', login: userId, user });
  const digits = typed.replace(/\s/g, '');
  const isRight = await inTransaction(ctx.deps.db, (tx) =>
    /^\d{6}$/.test(digits)
      ? spendTotpCode(tx, ctx, { userId, code: digits })
      : spendPaperCode(tx, ctx, { userId, typed }),
  );
  if (isRight) await attempt.forgive();
  return isRight;
}

/** How the secret of a person's authenticator is sealed. */
export function totpContext(userId: string): string {
  return `totp:${userId}`;
}

/** How a recovery code is stored. */
export function hashRecoveryCode(ctx: Context, userId: string, code: string): Buffer {
  return ctx.deps.hashCode(`recovery ${userId}`, normalizeRecoveryCode(code));
}

export function denyCode() {
  return deny('BAD_REQUEST', 'The code is wrong or was already used. Enter the next code.', {
    field: 'code',
  });
}

async function spendTotpCode(
  tx: Connection,
  ctx: Context,
  attempt: { userId: string; code: string },
): Promise<boolean> {
  const { userId, code } = attempt;
  const totp = await lockTotp(tx, userId);
  if (totp === null || totp.confirmedAt === null) return false;
  const secret = ctx.deps.sealer.open(totp.secretSealed, totpContext(userId));
  const { lastUsedStep } = totp;
  const step = findTotpStep(secret, { code, nowMs: ctx.deps.clock.nowMs(), lastUsedStep });
  if (step === null) return false;
  await markTotpUsed(tx, { userId, step });
  return true;
}

async function spendPaperCode(
  tx: Connection,
  ctx: Context,
  attempt: { userId: string; typed: string },
): Promise<boolean> {
  const { deps } = ctx;
  const { userId } = attempt;
  const hash = hashRecoveryCode(ctx, userId, attempt.typed);
  if (!(await spendRecoveryCode(tx, { userId, hash, now: new Date(deps.clock.nowMs()) }))) return false;
  const user = await findUserById(tx, userId);
  if (user === null) return false;
  await recordAudit(tx, { actorUserId: userId, action: 'user.recovery_code_used', subject: userId });
  const left = await countRecoveryCodes(tx, userId);
  const mail = recoveryCodeUsedMail({ left, forgotLink: linkTo(deps.settings, 'forgot') });
  await queueMail(tx, deps.sealer, { recipient: user.email, mail });
  return true;
}
