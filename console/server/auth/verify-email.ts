import { hashLinkToken } from '@tollgate/auth/one-time-code';
import { hasPassword, NO_PASSWORD } from '@tollgate/auth/password';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { findLinkOwner, revokeCodes, spendCode, spendLink } from '@tollgate/db/queries/users/codes';
import { spendOperatorInvite } from '@tollgate/db/queries/users/operator-invite';
import { markEmailVerified } from '@tollgate/db/queries/users/verify-email';
import { findUserByEmail, findUserById, lockUser, type User } from '@tollgate/db/queries/users/users';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import { queueMail } from '@tollgate/mail/queue-mail';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import { verifyEmailMail } from '../mail/templates.ts';
import { answerEvenly } from './answer-evenly.ts';
import { keepDevice, readDevice } from './device.ts';
import { enter } from './enter.ts';
import { issueCode } from './issue-code.ts';
import { linkTo } from './links.ts';
import { signUpTicket } from './sign-up-ticket.ts';
import { countHits, RESEND_AFTER_SECONDS, throttle, type Resend } from './throttle.ts';

const PURPOSE = 'verify_email';

export type EmailVerification = { email: string; code: string } | { token: string };

/**
 * Result of an email verification. `set_password`: another browser chose the password, so it was removed; the token
 * opens `auth.resetPassword`, and no session is open before.
 */
export type VerifiedEntry =
  | { next: 'console'; email: string }
  | { next: 'set_password'; email: string; token: string };

/** Proves a mailbox by the code or the link that was sent to it, and signs its owner in. */
export async function verifyEmail(ctx: Context, verification: EmailVerification): Promise<VerifiedEntry> {
  const { deps } = ctx;
  await throttle(ctx, {
    codeByIp: [ctx.clientIp],
    ...('code' in verification && { codeByEmailAndIp: [verification.email, ctx.clientIp] }),
  });
  const user = await answerEvenly(deps.settings.answerFloorMs, () =>
    // A wrong code must be counted, so the denial is thrown after the commit.
    inTransaction(deps.db, (tx) =>
      'code' in verification ? verifyByCode(tx, ctx, verification) : verifyByLink(tx, ctx, verification),
    ),
  );
  if (user === null) throw denyVerification(verification);
  ctx.setCookie(signUpTicket.blank(deps));
  const { email } = user;
  if (!hasPassword(user)) return { next: 'set_password', email, token: await issueResetToken(ctx, user) };
  if ((await enter(ctx, user, null)) === null) throw denyVerification(verification);
  return { next: 'console', email };
}

/** Sends another code and link. The response is the same whether or not the address needs verification. */
export async function resendVerification(
  ctx: Context,
  { email, returnTo }: { email: string; returnTo?: string | undefined },
): Promise<Resend> {
  const { deps } = ctx;
  await throttle(ctx, { mailByIp: [ctx.clientIp], verifyMailByEmailAndIp: [email, ctx.clientIp] });
  const browser = keepDevice(ctx);
  return answerEvenly(deps.settings.answerFloorMs, async () => {
    await inTransaction(deps.db, async (tx) => {
      const found = await findUserByEmail(tx, email);
      const user = found === null ? null : await lockUser(tx, found.id);
      if (user?.emailVerifiedAt === null) await sendVerification(tx, ctx, { user, browser, returnTo });
    });
    deps.onMailQueued();
    return { resendAfterSeconds: RESEND_AFTER_SECONDS };
  });
}

interface Verification {
  user: User;
  /** The requesting device, from `keepDevice`: called for unknown addresses too, because the cookie would reveal them. */
  browser: Buffer;
  /** Where the link leads on to, in whichever browser it is opened. */
  returnTo: string | undefined;
}

/**
 * Queues the email with a new code and link, unless the address has had enough; the user's row must be locked.
 * Earlier codes and links stay valid, so that a stranger's request does not invalidate the owner's.
 */
export async function sendVerification(
  tx: Connection,
  ctx: Context,
  { user, browser, returnTo }: Verification,
): Promise<void> {
  const { deps } = ctx;
  const { id: userId, email } = user;
  const budget = await countHits(tx, ctx, { verifyMailByEmail: [email], verifyMailByEmailAndDay: [email] });
  if (!budget.ok) return;
  const { code, token } = await issueCode(tx, deps, { purpose: PURPOSE, userId, email, browser });
  const mail = verifyEmailMail({ code, link: linkTo(deps.settings, 'verify', token, returnTo) });
  await queueMail(tx, deps.sealer, { recipient: user.email, mail });
}

async function verifyByCode(
  tx: Connection,
  ctx: Context,
  verification: { email: string; code: string },
): Promise<User | null> {
  const { clock, hashCode } = ctx.deps;
  const found = await findUserByEmail(tx, verification.email);
  const user = found === null ? null : await lockUser(tx, found.id);
  if (user === null) return null;
  const computeHash = (codeId: string) => hashCode(codeId, verification.code);
  const spent = await spendCode(tx, {
    purpose: PURPOSE,
    userId: user.id,
    browser: readDevice(ctx),
    computeHash,
    nowMs: clock.nowMs(),
  });
  if (spent === null || spent.email !== user.email) return null;
  return acceptVerification(tx, ctx, user);
}

async function verifyByLink(
  tx: Connection,
  ctx: Context,
  verification: { token: string },
): Promise<User | null> {
  const link = {
    purpose: PURPOSE,
    tokenHash: hashLinkToken(verification.token),
    nowMs: ctx.deps.clock.nowMs(),
  } as const;
  const ownerId = await findLinkOwner(tx, link);
  const user = ownerId === null ? null : await lockUser(tx, ownerId);
  if (user === null) return null;
  const spent = await spendLink(tx, link);
  if (spent === null || spent.email !== user.email) return null;
  return acceptVerification(tx, ctx, user);
}

/** Keeps the password only if this browser set it: otherwise a stranger may have set it. */
async function acceptVerification(tx: Connection, ctx: Context, user: User): Promise<User | null> {
  const at = new Date(ctx.deps.clock.nowMs());
  const ticket = signUpTicket.read(ctx);
  const passwordHash = ticket?.email === user.email ? ticket.passwordHash : NO_PASSWORD;
  if (await markEmailVerified(tx, { user, at, passwordHash }))
    await recordAudit(tx, { actorUserId: user.id, action: 'user.email_verified', subject: user.id });
  if (await spendOperatorInvite(tx, { userId: user.id, nowMs: at.getTime() }))
    await recordAudit(tx, { actorUserId: user.id, action: 'user.became_operator', subject: user.id });
  await revokeCodes(tx, user.id, PURPOSE);
  return findUserById(tx, user.id);
}

/** A token for `auth.resetPassword`, for a user who has just verified their email in this browser. */
async function issueResetToken({ deps }: Context, { id: userId, email }: User): Promise<string> {
  const request = { purpose: 'reset_password', userId, email, browser: null } as const;
  const { token } = await issueCode(deps.db, deps, request);
  return token;
}

function denyVerification(verification: EmailVerification) {
  return 'code' in verification
    ? deny('BAD_REQUEST', 'The code is wrong or has expired. Use the newest email, or request a new code.', {
        field: 'code',
      })
    : deny('BAD_REQUEST', 'This link has expired or was already used. Request a new link.', {
        field: 'token',
      });
}
