import { hashLinkToken } from '@tollgate/auth/one-time-code';
import { recordAudit } from '@tollgate/db/queries/audit';
import { findLinkOwner, revokeCodes, spendCode, spendLink } from '@tollgate/db/queries/codes';
import { spendOperatorInvite } from '@tollgate/db/queries/operator-invite';
import { deleteSessionsOfUser } from '@tollgate/db/queries/sessions';
import {
  findUserByEmail,
  lockUser,
  markEmailVerified,
  setPasswordHash,
  type User,
} from '@tollgate/db/queries/users';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import { queueMail } from '@tollgate/mail/queue-mail';
import type { Resend } from '../areas/auth.ts';
import type { Context } from '../context.ts';
import type { Deps } from '../deps.ts';
import { deny } from '../denial.ts';
import { verifyEmailMail } from '../mail/templates.ts';
import { answerEvenly } from './answer-evenly.ts';
import { enter } from './enter.ts';
import { issueCode } from './issue-code.ts';
import { linkTo } from './links.ts';
import { signUpTicket } from './sign-up-ticket.ts';
import { RESEND_AFTER_SECONDS, throttle } from './throttle.ts';

const PURPOSE = 'verify_email';

export type EmailProof = { email: string; code: string } | { token: string };

/** Proves a mailbox by the code or the link that was sent to it, and signs its owner in. */
export async function verifyEmail(ctx: Context, proof: EmailProof): Promise<{ email: string }> {
  const { deps } = ctx;
  await throttle(ctx, {
    codeByIp: [ctx.clientIp],
    ...('code' in proof && { codeByEmailAndIp: [proof.email, ctx.clientIp] }),
  });
  const user = await answerEvenly(deps.settings.answerFloorMs, () =>
    // A wrong code must be counted, so the denial is thrown after the commit.
    inTransaction(deps.db, (tx) =>
      'code' in proof ? verifyByCode(tx, ctx, proof) : verifyByLink(tx, ctx, proof),
    ),
  );
  if (user === null) throw denyProof(proof);
  if ((await enter(ctx, user, null)) === null) throw denyProof(proof);
  ctx.setCookie(signUpTicket.blank(deps));
  return { email: user.email };
}

/** Sends another code and link; the ones before end. Says the same whether somebody waits for it or not. */
export async function resendVerification(
  ctx: Context,
  { email, returnTo }: { email: string; returnTo?: string | undefined },
): Promise<Resend> {
  const { deps } = ctx;
  await throttle(ctx, { mailByIp: [ctx.clientIp], verifyMailByEmail: [email], mailByEmail: [email] });
  return answerEvenly(deps.settings.answerFloorMs, async () => {
    await inTransaction(deps.db, async (tx) => {
      const found = await findUserByEmail(tx, email);
      const user = found === null ? null : await lockUser(tx, found.id);
      if (user?.emailVerifiedAt === null) await sendVerification(tx, deps, { user, returnTo });
    });
    deps.onMailQueued();
    return { resendAfterSeconds: RESEND_AFTER_SECONDS };
  });
}

interface Verification {
  user: User;
  /** Where the link leads on to, in whichever browser it is opened. */
  returnTo: string | undefined;
}

/** Queues the mail with a new code and link; the person's row must be locked. */
export async function sendVerification(
  tx: Connection,
  deps: Deps,
  { user, returnTo }: Verification,
): Promise<void> {
  await revokeCodes(tx, user.id, PURPOSE);
  const { code, token } = await issueCode(tx, deps, { purpose: PURPOSE, userId: user.id, email: user.email });
  const mail = verifyEmailMail({ code, link: linkTo(deps.settings, 'verify', token, returnTo) });
  await queueMail(tx, deps.sealer, { recipient: user.email, mail });
}

async function verifyByCode(
  tx: Connection,
  ctx: Context,
  proof: { email: string; code: string },
): Promise<User | null> {
  const { clock, hashCode } = ctx.deps;
  const found = await findUserByEmail(tx, proof.email);
  const user = found === null ? null : await lockUser(tx, found.id);
  if (user === null) return null;
  const hashOf = (codeId: string) => hashCode(codeId, proof.code);
  const spent = await spendCode(tx, { purpose: PURPOSE, userId: user.id, hashOf, nowMs: clock.nowMs() });
  if (spent === null || spent.email !== user.email) return null;
  await acceptProof(tx, ctx, user);
  return user;
}

async function verifyByLink(tx: Connection, ctx: Context, proof: { token: string }): Promise<User | null> {
  const link = {
    purpose: PURPOSE,
    tokenHash: hashLinkToken(proof.token),
    nowMs: ctx.deps.clock.nowMs(),
  } as const;
  const ownerId = await findLinkOwner(tx, link);
  const user = ownerId === null ? null : await lockUser(tx, ownerId);
  if (user === null) return null;
  const spent = await spendLink(tx, link);
  if (spent === null || spent.email !== user.email) return null;
  await acceptProof(tx, ctx, user);
  return user;
}

/** What was done before the mailbox was proven may have been done by anybody: only the proof's own browser counts. */
async function acceptProof(tx: Connection, ctx: Context, user: User): Promise<void> {
  const { clock } = ctx.deps;
  if (user.emailVerifiedAt === null) {
    const ticket = signUpTicket.read(ctx);
    if (ticket?.email === user.email && ticket.passwordHash !== user.passwordHash)
      await setPasswordHash(tx, user.id, ticket.passwordHash);
    await deleteSessionsOfUser(tx, user.id);
    await markEmailVerified(tx, user.id, new Date(clock.nowMs()));
    await recordAudit(tx, { actorUserId: user.id, action: 'user.email_verified', subject: user.id });
  }
  if (await spendOperatorInvite(tx, { userId: user.id, nowMs: clock.nowMs() }))
    await recordAudit(tx, { actorUserId: user.id, action: 'user.became_operator', subject: user.id });
  await revokeCodes(tx, user.id, PURPOSE);
}

function denyProof(proof: EmailProof) {
  return 'code' in proof
    ? deny(
        'BAD_REQUEST',
        'That code is wrong or has expired. Look for the newest e-mail, or ask for another code.',
        {
          field: 'code',
        },
      )
    : deny('BAD_REQUEST', 'This link has expired or was used already. Ask for a new one.', {
        field: 'token',
      });
}
