import { hashLinkToken } from '@tollgate/auth/one-time-code';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import {
  bindOperatorInvite,
  hasOperator,
  isOperatorInviteLive,
  spendOperatorInvite,
  unbindOperatorInvites,
} from '@tollgate/db/queries/users/operator-invite';
import { deleteSessionsOfUser } from '@tollgate/db/queries/users/sessions';
import {
  createUserWithAccount,
  findUserByEmail,
  lockUser,
  setPasswordHash,
  type User,
} from '@tollgate/db/queries/users/users';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import { queueMail } from '@tollgate/mail/queue-mail';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import { alreadyRegisteredMail } from '../mail/templates.ts';
import { answerEvenly } from './answer-evenly.ts';
import { checkNewPassword } from './check-new-password.ts';
import { keepDevice } from './device.ts';
import { linkTo } from './links.ts';
import { checkSignUpAllowed } from './sign-up-allowed.ts';
import { signUpTicket } from './sign-up-ticket.ts';
import { countHits, RESEND_AFTER_SECONDS, throttle, type Resend } from './throttle.ts';
import { sendVerification } from './verify-email.ts';

interface SignUpInput {
  email: string;
  password: string;
  operatorToken?: string | undefined;
  /** A page of the console to go on to once the email is verified. */
  returnTo?: string | undefined;
}

/**
 * The response is the same whether the address is new, unverified or taken; only the email to its owner says more. It
 * signs no one in.
 */
export async function signUp(ctx: Context, input: SignUpInput): Promise<Resend> {
  const { deps } = ctx;
  const { email, returnTo } = input;
  checkNewPassword(input.password, email, 'password');
  await throttle(ctx, { signUpByIp: [ctx.clientIp] });
  const inviteHash = await readInvite(ctx, input.operatorToken);
  await checkSignUpAllowed(ctx, { email, hasOperatorLink: inviteHash !== null });
  await throttle(ctx, { verifyMailByEmailAndIp: [email, ctx.clientIp] });
  const browser = keepDevice(ctx);
  return answerEvenly(deps.settings.answerFloorMs, async () => {
    const passwordHash = await deps.passwords.hash(input.password);
    await inTransaction(deps.db, async (tx) => {
      const user = await findOrCreate(tx, email, passwordHash);
      if (user.emailVerifiedAt === null)
        await startAgain(tx, ctx, { user, browser, passwordHash, inviteHash, returnTo });
      else await tellOwner(tx, ctx, { user, password: input.password, inviteHash });
    });
    deps.onMailQueued();
    ctx.setCookie(signUpTicket.issue(deps, { email, passwordHash }));
    return { resendAfterSeconds: RESEND_AFTER_SECONDS };
  });
}

async function readInvite(ctx: Context, token: string | undefined): Promise<Buffer | null> {
  if (token === undefined) return null;
  const problem = await findOperatorLinkProblem(ctx, token);
  if (problem === null) return hashLinkToken(token);
  throw deny('BAD_REQUEST', problem, { field: 'operatorToken' });
}

/** @returns why the operator link does not work and how to continue; null if it works */
export async function findOperatorLinkProblem({ deps }: Context, token: string): Promise<string | null> {
  const { db, clock } = deps;
  const tokenHash = hashLinkToken(token);
  if (await isOperatorInviteLive(db, { tokenHash, nowMs: clock.nowMs() })) return null;
  return (await hasOperator(db))
    ? 'This installation already has an operator. Sign in, or ask the operator for access.'
    : 'This operator link was used, has expired or was replaced. Restart Tollgate to print a new link.';
}

async function findOrCreate(tx: Connection, email: string, passwordHash: string): Promise<User> {
  // Another sign-up with the same address may win the race: then its row is found.
  const created = await createUserWithAccount(tx, { email, passwordHash });
  const found = created?.user ?? (await findUserByEmail(tx, email));
  const user = found === null ? null : await lockUser(tx, found.id);
  if (user === null) throw new Error('The user was deleted while signing up');
  return user;
}

/** A new or unverified user: nothing that was set before may remain valid. */
async function startAgain(
  tx: Connection,
  ctx: Context,
  signUp: {
    user: User;
    browser: Buffer;
    passwordHash: string;
    inviteHash: Buffer | null;
    returnTo: string | undefined;
  },
): Promise<void> {
  const userId = signUp.user.id;
  await setPasswordHash(tx, userId, signUp.passwordHash);
  await deleteSessionsOfUser(tx, userId);
  await unbindOperatorInvites(tx, userId);
  if (signUp.inviteHash !== null)
    await bindOperatorInvite(tx, { tokenHash: signUp.inviteHash, userId, nowMs: ctx.deps.clock.nowMs() });
  await sendVerification(tx, ctx, signUp);
}

async function tellOwner(
  tx: Connection,
  ctx: Context,
  signUp: { user: User; password: string; inviteHash: Buffer | null },
): Promise<void> {
  const { deps } = ctx;
  const { user, inviteHash } = signUp;
  // A verified user with the operator link and their password: nothing more is required of an operator.
  if (inviteHash !== null && (await deps.passwords.verify(user.passwordHash, signUp.password))) {
    const nowMs = deps.clock.nowMs();
    await bindOperatorInvite(tx, { tokenHash: inviteHash, userId: user.id, nowMs });
    if (await spendOperatorInvite(tx, { userId: user.id, nowMs }))
      await recordAudit(tx, { actorUserId: user.id, action: 'user.became_operator', subject: user.id });
  }
  if (!(await countHits(tx, ctx, { registeredMailByEmail: [user.email] })).ok) return;
  const mail = alreadyRegisteredMail({
    signInLink: linkTo(deps.settings, 'signIn'),
    forgotLink: linkTo(deps.settings, 'forgot'),
  });
  await queueMail(tx, deps.sealer, { recipient: user.email, mail });
}
