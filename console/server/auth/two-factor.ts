import { mintRecoveryCodes } from '@tollgate/auth/recovery-code';
import { findTotpStep, mintTotpSecret, totpUri } from '@tollgate/auth/totp';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import {
  countRecoveryCodes,
  deleteTotp,
  findTotp,
  lockTotp,
  markTotpUsed,
  replaceRecoveryCodes,
  startTotp,
} from '@tollgate/db/queries/users/second-factors';
import { lockUser } from '@tollgate/db/queries/users/users';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import { queueMail, type Mail } from '@tollgate/mail/queue-mail';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import { recoveryCodesReplacedMail, twoFactorOffMail, twoFactorOnMail } from '../mail/security-templates.ts';
import type { ActiveSession } from '../sessions.ts';
import { checkSecondFactor, denyCode, hashRecoveryCode, totpContext } from './check-second-factor.ts';
import { linkTo } from './links.ts';
import { mayVouch, noteSecondFactor } from './second-factor-policy.ts';
import { throttle } from './throttle.ts';

const ISSUER = 'Tollgate';

type SignedInContext = Context & { session: ActiveSession };

export interface TwoFactorState {
  /** null: it is off. */
  onSince: Date | null;
  recoveryCodesLeft: number;
}

export async function readTwoFactor({ deps, session }: SignedInContext): Promise<TwoFactorState> {
  const totp = await findTotp(deps.db, session.user.id);
  const onSince = totp?.confirmedAt ?? null;
  const recoveryCodesLeft = onSince === null ? 0 : await countRecoveryCodes(deps.db, session.user.id);
  return { onSince, recoveryCodesLeft };
}

/** Creates the secret for an authenticator app. Sign-in requires it only after a code has confirmed the app. */
export async function beginTwoFactor({
  deps,
  session,
}: SignedInContext): Promise<{ secret: string; uri: string }> {
  const { id: userId, email } = session.user;
  const secret = mintTotpSecret();
  const secretSealed = deps.sealer.seal(secret, totpContext(userId));
  const createdAt = new Date(deps.clock.nowMs());
  if (!(await startTotp(deps.db, { userId, secretSealed, createdAt }))) throw denyOnAlready();
  return { secret, uri: totpUri({ secret, issuer: ISSUER, login: email }) };
}

/** Turns it on with the first code. @returns the recovery codes, which are never shown again */
export async function turnOnTwoFactor(ctx: SignedInContext, typed: string): Promise<string[]> {
  const { deps } = ctx;
  const userId = ctx.session.user.id;
  await throttle(ctx, { enrolmentBySession: [ctx.session.id] });
  const codes = mintRecoveryCodes();
  const outcome = await inTransaction(deps.db, async (tx) => {
    const totp = await lockTotp(tx, userId);
    if (totp === null) return 'wrong';
    if (totp.confirmedAt !== null) return 'on_already';
    const nowMs = deps.clock.nowMs();
    const secret = deps.sealer.open(totp.secretSealed, totpContext(userId));
    const step = findTotpStep(secret, { code: typed.replace(/\s/g, ''), nowMs, lastUsedStep: null });
    if (step === null) return 'wrong';
    await markTotpUsed(tx, { userId, step, confirmedAt: new Date(nowMs) });
    await replaceRecoveryCodes(tx, { userId, hashes: hashAll(ctx, codes) });
    await notify(tx, ctx, 'user.two_factor_on', twoFactorOnMail);
    return 'on';
  });
  if (outcome === 'wrong') throw denyCode();
  if (outcome === 'on_already') throw denyOnAlready();
  if (mayVouch(ctx.session)) await noteSecondFactor(ctx);
  deps.onMailQueued();
  return codes;
}

/** Turns it off. Requires re-authentication and a code, so that the password alone is not enough. */
export async function turnOffTwoFactor(ctx: SignedInContext, typed: string): Promise<void> {
  const { deps } = ctx;
  const userId = ctx.session.user.id;
  if (!(await checkSecondFactor(ctx, userId, typed))) throw denyCode();
  await inTransaction(deps.db, async (tx) => {
    await deleteTotp(tx, userId);
    await notify(tx, ctx, 'user.two_factor_off', twoFactorOffMail);
  });
  deps.onMailQueued();
}

/** Makes new recovery codes in place of the ones before. */
export async function remakeRecoveryCodes(ctx: SignedInContext): Promise<string[]> {
  const { deps } = ctx;
  const userId = ctx.session.user.id;
  const codes = mintRecoveryCodes();
  const isOn = await inTransaction(deps.db, async (tx) => {
    const totp = await lockTotp(tx, userId);
    if (totp === null || totp.confirmedAt === null) return false;
    await replaceRecoveryCodes(tx, { userId, hashes: hashAll(ctx, codes) });
    await notify(tx, ctx, 'user.recovery_codes_replaced', recoveryCodesReplacedMail);
    return true;
  });
  if (!isOn) throw deny('BAD_REQUEST', 'Two-factor authentication is off. Turn it on first.');
  deps.onMailQueued();
  return codes;
}

function hashAll(ctx: SignedInContext, codes: string[]): Buffer[] {
  return codes.map((code) => hashRecoveryCode(ctx, ctx.session.user.id, code));
}

async function notify(
  tx: Connection,
  { deps, session }: SignedInContext,
  action: string,
  writeMail: (input: { forgotLink: string }) => Mail,
): Promise<void> {
  const user = await lockUser(tx, session.user.id);
  if (user === null) return;
  await recordAudit(tx, { actorUserId: user.id, action, subject: user.id });
  const mail = writeMail({ forgotLink: linkTo(deps.settings, 'forgot') });
  await queueMail(tx, deps.sealer, { recipient: user.email, mail });
}

function denyOnAlready() {
  return deny('BAD_REQUEST', 'Two-factor authentication is already on.');
}
