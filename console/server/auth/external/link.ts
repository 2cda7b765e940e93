import { hasPassword, NO_PASSWORD } from '@tollgate/auth/password';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { spendCode } from '@tollgate/db/queries/users/codes';
import {
  deleteIdentity,
  insertIdentity,
  listIdentities,
  type NewIdentity,
} from '@tollgate/db/queries/users/identities';
import { listPasskeys } from '@tollgate/db/queries/users/passkeys';
import { markEmailVerified } from '@tollgate/db/queries/users/verify-email';
import { findUserById, lockUser, type User } from '@tollgate/db/queries/users/users';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import { queueMail } from '@tollgate/mail/queue-mail';
import type { Context } from '../../context.ts';
import type { Deps } from '../../deps.ts';
import { deny, notFound } from '../../denial.ts';
import { confirmLinkMail, identityLinkedMail, identityUnlinkedMail } from '../../mail/external-templates.ts';
import { countAttempt } from '../count-attempt.ts';
import { keepDevice, readDevice } from '../device.ts';
import { enter } from '../enter.ts';
import { issueCode } from '../issue-code.ts';
import { linkTo } from '../links.ts';
import { countHits, RESEND_AFTER_SECONDS, throttle, type Resend } from '../throttle.ts';
import type { ExternalOutcome } from './outcome.ts';
import { getProvider } from './start.ts';
import { unconfirmedTicket, type Unconfirmed } from './tickets.ts';

const PURPOSE = 'link_identity';

/** Links a provider identity to a login, and notifies its user by email. */
export async function linkIdentity(
  tx: Connection,
  deps: Deps,
  link: NewIdentity & { label: string },
): Promise<void> {
  const { userId, provider, issuer, subject, email, label } = link;
  const user = await lockUser(tx, userId);
  if (user === null) throw new Error('The user was deleted while linking');
  if (!(await insertIdentity(tx, { userId, provider, issuer, subject, email })))
    throw deny('BAD_REQUEST', `This ${label} login is already linked to your account or to another one.`, {
      reason: 'external_taken',
    });
  await recordAudit(tx, {
    actorUserId: userId,
    action: 'user.identity_linked',
    subject: userId,
    detail: { provider },
  });
  const mail = identityLinkedMail({ label, forgotLink: linkTo(deps.settings, 'forgot') });
  await queueMail(tx, deps.sealer, { recipient: user.email, mail });
}

/** Sends the owner of the login a code that says: this is me. */
export async function sendConfirmation(ctx: Context): Promise<Resend> {
  const { deps } = ctx;
  const { userId, email, provider } = readUnconfirmed(ctx);
  await throttle(ctx, { mailByIp: [ctx.clientIp], linkMailByEmailAndIp: [email, ctx.clientIp] });
  await inTransaction(deps.db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (user === null || user.email !== email) throw denyAgain();
    const browser = keepDevice(ctx);
    if (!(await countHits(tx, ctx, { linkMailByEmail: [email] })).ok) return;
    const { code } = await issueCode(tx, deps, { purpose: PURPOSE, userId, email, browser });
    const mail = confirmLinkMail({ code, label: getProvider(deps, provider).label });
    await queueMail(tx, deps.sealer, { recipient: email, mail });
  });
  deps.onMailQueued();
  return { resendAfterSeconds: RESEND_AFTER_SECONDS };
}

export type OwnerConfirmation = { password: string } | { code: string };

/** The owner of the login says that the person at the provider is them; then they are in. */
export async function confirmLink(ctx: Context, confirmation: OwnerConfirmation): Promise<ExternalOutcome> {
  const { deps } = ctx;
  const unconfirmed = readUnconfirmed(ctx);
  const user =
    'password' in confirmation
      ? await linkByPassword(ctx, unconfirmed, confirmation.password)
      : await linkByCode(ctx, unconfirmed, confirmation.code);
  deps.onMailQueued();
  ctx.setCookie(unconfirmedTicket.blank(deps));
  const entry = await enter(ctx, user, 'password' in confirmation ? user.passwordHash : null);
  if (entry === null) throw denyAgain();
  return { ...entry, redirect: unconfirmed.redirect };
}

async function linkByPassword(ctx: Context, unconfirmed: Unconfirmed, password: string): Promise<User> {
  const { db, passwords } = ctx.deps;
  const user = await findUserById(db, unconfirmed.userId);
  const attempt = await countAttempt(ctx, { step: 'password', login: unconfirmed.email, user });
  const isOwners = user !== null && user.email === unconfirmed.email && user.emailVerifiedAt !== null;
  const isRight = await passwords.verify(isOwners ? user.passwordHash : null, password);
  if (user === null || !isRight) throw deny('BAD_REQUEST', 'Wrong password.', { field: 'password' });
  await attempt.forgive();
  await inTransaction(db, (tx) => link(tx, ctx.deps, unconfirmed));
  return user;
}

async function linkByCode(ctx: Context, unconfirmed: Unconfirmed, code: string): Promise<User> {
  const { deps } = ctx;
  const { userId, email } = unconfirmed;
  await throttle(ctx, { codeByIp: [ctx.clientIp], codeByUserAndIp: [userId, ctx.clientIp] });
  const nowMs = deps.clock.nowMs();
  // A wrong code must be counted, so the denial is thrown after the commit.
  const user = await inTransaction(deps.db, async (tx) => {
    const owner = await lockUser(tx, userId);
    const computeHash = (codeId: string) => deps.hashCode(codeId, code);
    const spent = await spendCode(tx, {
      purpose: PURPOSE,
      userId,
      browser: readDevice(ctx),
      computeHash,
      nowMs,
    });
    if (owner === null || owner.email !== email || spent?.email !== email) return null;
    if (await markEmailVerified(tx, { user: owner, at: new Date(nowMs), passwordHash: NO_PASSWORD }))
      await recordAudit(tx, { actorUserId: userId, action: 'user.email_verified', subject: userId });
    await link(tx, deps, unconfirmed);
    return findUserById(tx, userId);
  });
  if (user === null)
    throw deny('BAD_REQUEST', 'The code is wrong or has expired. Request a new code.', { field: 'code' });
  return user;
}

function link(tx: Connection, deps: Deps, unconfirmed: Unconfirmed): Promise<void> {
  const { label } = getProvider(deps, unconfirmed.provider);
  return linkIdentity(tx, deps, { ...unconfirmed, label });
}

/** Takes a provider away from a login, but never the last way in. */
export async function unlinkIdentity(ctx: Context, userId: string, id: string): Promise<void> {
  const { deps } = ctx;
  await inTransaction(deps.db, async (tx) => {
    const user = await lockUser(tx, userId);
    const [identities, passkeys] = [await listIdentities(tx, userId), await listPasskeys(tx, userId)];
    if (user === null || !identities.some((identity) => identity.id === id))
      throw notFound('linked provider');
    if (!hasPassword(user) && passkeys.length === 0 && identities.length === 1)
      throw deny('BAD_REQUEST', 'This is your only sign-in method. Set a password or add a passkey first.', {
        reason: 'last_way_in',
      });
    const identity = await deleteIdentity(tx, { id, userId });
    if (identity === null) throw notFound('linked provider');
    const { provider } = identity;
    await recordAudit(tx, {
      actorUserId: userId,
      action: 'user.identity_unlinked',
      subject: userId,
      detail: { provider },
    });
    const label = deps.externalProviders.find((known) => known.id === provider)?.label ?? provider;
    const mail = identityUnlinkedMail({ label, forgotLink: linkTo(deps.settings, 'forgot') });
    await queueMail(tx, deps.sealer, { recipient: user.email, mail });
  });
  deps.onMailQueued();
}

function readUnconfirmed(ctx: Context): Unconfirmed {
  const unconfirmed = unconfirmedTicket.read(ctx);
  if (unconfirmed === null) throw denyAgain();
  return unconfirmed;
}

function denyAgain() {
  return deny('BAD_REQUEST', 'The sign-in has expired. Start again.', { reason: 'external_expired' });
}
