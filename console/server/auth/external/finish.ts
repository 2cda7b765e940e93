import { hashLinkToken } from '@tollgate/auth/one-time-code';
import { hasPassword, NO_PASSWORD } from '@tollgate/auth/password';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import {
  findIdentity,
  insertIdentity,
  markIdentityUsed,
  type Identity,
  type IdentityProvider,
} from '@tollgate/db/queries/users/identities';
import {
  bindOperatorInvite,
  isOperatorInviteLive,
  spendOperatorInvite,
} from '@tollgate/db/queries/users/operator-invite';
import {
  createUserWithAccount,
  findUserByEmail,
  findUserById,
  type User,
} from '@tollgate/db/queries/users/users';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import type { Context } from '../../context.ts';
import { deny } from '../../denial.ts';
import { createInvitee } from '../../team/join.ts';
import { findInvitationToAccept } from '../../team/join-at-entry.ts';
import { joinTicket } from '../../team/join-ticket.ts';
import { enter } from '../enter.ts';
import { checkSignUpAllowed } from '../sign-up-allowed.ts';
import { throttle } from '../throttle.ts';
import { confirmAtProvider } from './confirm.ts';
import { linkIdentity } from './link.ts';
import type { ExternalOutcome } from './outcome.ts';
import type { ExternalPerson, ExternalProvider } from './provider.ts';
import { denyExternal, getProvider, redirectUri } from './start.ts';
import { journeyTicket, unconfirmedTicket, type Journey } from './tickets.ts';

interface Arrival {
  provider: ExternalProvider;
  person: ExternalPerson;
}

type EnterAim = Extract<Journey['aim'], { kind: 'enter' }>;

/** @param query what the provider added to the redirect URI */
export async function finishJourney(
  ctx: Context,
  id: IdentityProvider,
  query: string,
): Promise<ExternalOutcome> {
  const { deps } = ctx;
  const provider = getProvider(deps, id);
  await throttle(ctx, { externalByIp: [ctx.clientIp] });
  const journey = journeyTicket.read(ctx);
  // Whatever the result, the same callback cannot be used again.
  ctx.setCookie(journeyTicket.blank(deps));
  if (journey === null || journey.provider !== id)
    throw deny('BAD_REQUEST', 'This sign-in has expired or was started in another browser. Start again.', {
      reason: 'external_expired',
    });
  const callback = new URL(redirectUri(deps, id));
  callback.search = query;
  const person = await provider.identify(callback, journey).catch((error: unknown) => {
    throw denyExternal(ctx, provider, error);
  });
  const { aim } = journey;
  switch (aim.kind) {
    case 'link':
      return linkToLogin(ctx, { provider, person }, aim.userId);
    case 'confirm':
      return confirmAtProvider(ctx, { id, person }, aim);
    case 'enter':
      return enterAs(ctx, { provider, person }, aim);
  }
}

/** A signed-in user links an identity to their login. */
async function linkToLogin(
  ctx: Context,
  { provider, person }: Arrival,
  userId: string,
): Promise<ExternalOutcome> {
  if (ctx.session?.user.id !== userId)
    throw deny('BAD_REQUEST', 'You were signed out. Sign in and link the provider again.', {
      reason: 'external_expired',
    });
  const email = requireVerifiedEmail(provider, person);
  await inTransaction(ctx.deps.db, (tx) =>
    linkIdentity(tx, ctx.deps, { ...person, email, userId, provider: provider.id, label: provider.label }),
  );
  ctx.deps.onMailQueued();
  return { next: 'linked' };
}

async function enterAs(ctx: Context, arrival: Arrival, aim: EnterAim): Promise<ExternalOutcome> {
  const { db } = ctx.deps;
  const { provider, person } = arrival;
  const identity = await findIdentity(db, person);
  if (identity !== null) return enterKnown(ctx, arrival, identity, aim);
  const invitation = await findInvitationToAccept(ctx);
  const email = invitation?.email ?? requireVerifiedEmail(provider, person);
  const existing = await findUserByEmail(db, email);
  if (invitation !== null) requireInvitedEmail(ctx, arrival, email);
  if (existing !== null && (invitation === null || existing.emailVerifiedAt !== null))
    return askOwner(ctx, arrival, existing, aim);
  const user = await register(ctx, arrival, { email, isInvited: invitation !== null }, aim);
  // Someone took the address at this very moment.
  if (user === null) return enterAs(ctx, arrival, aim);
  return finishEntry(ctx, user, aim);
}

async function enterKnown(
  ctx: Context,
  { provider, person }: Arrival,
  identity: Identity,
  aim: EnterAim,
): Promise<ExternalOutcome> {
  const { db, clock } = ctx.deps;
  const user = await findUserById(db, identity.userId);
  if (user === null) throw new Error('An identity has no user');
  const email = person.verifiedEmail ?? identity.email;
  await markIdentityUsed(db, { id: identity.id, email, at: new Date(clock.nowMs()) });
  await spendInvite(ctx, user, aim);
  await recordAudit(db, {
    actorUserId: user.id,
    action: 'user.signed_in_externally',
    subject: user.id,
    detail: { provider: provider.id },
  });
  return finishEntry(ctx, user, aim);
}

async function finishEntry(ctx: Context, user: User, aim: EnterAim): Promise<ExternalOutcome> {
  const entry = await enter(ctx, user, null);
  if (entry === null) throw new Error('A sign-in without a password was refused because of a password');
  return { ...entry, redirect: aim.redirect };
}

/** A verified address does not imply consent: providers have been deceived before. */
function askOwner(ctx: Context, { provider, person }: Arrival, user: User, aim: EnterAim): ExternalOutcome {
  const { issuer, subject } = person;
  const unconfirmed = { provider: provider.id, issuer, subject, email: user.email, userId: user.id };
  ctx.setCookie(unconfirmedTicket.issue(ctx.deps, { ...unconfirmed, redirect: aim.redirect }));
  // A password set before the address was verified may belong to someone else.
  const byPassword = user.emailVerifiedAt !== null && hasPassword(user);
  return { next: 'confirm', email: user.email, byPassword };
}

/** @returns null if the address was taken in the meantime */
async function register(
  ctx: Context,
  { provider, person }: Arrival,
  { email, isInvited }: { email: string; isInvited: boolean },
  aim: EnterAim,
): Promise<User | null> {
  const { db, clock } = ctx.deps;
  await throttle(ctx, { signUpByIp: [ctx.clientIp] });
  const { operatorToken } = aim;
  const tokenHash = operatorToken === null ? null : hashLinkToken(operatorToken);
  const hasOperatorLink =
    tokenHash !== null && (await isOperatorInviteLive(db, { tokenHash, nowMs: clock.nowMs() }));
  await checkSignUpAllowed(ctx, { email, hasOperatorLink });
  const user = await inTransaction(db, async (tx) => {
    const created = isInvited
      ? await createInvitee(tx, ctx, { email, passwordHash: NO_PASSWORD })
      : await createVerified(tx, email, new Date(clock.nowMs()));
    if (created === null) return null;
    const userId = created.id;
    const { issuer, subject, verifiedEmail } = person;
    const identity = { userId, provider: provider.id, issuer, subject, email: verifiedEmail ?? email };
    if (!(await insertIdentity(tx, identity)))
      throw new Error('Two sign-ups with the same address at the same time');
    const detail = { provider: provider.id };
    await recordAudit(tx, {
      actorUserId: userId,
      action: 'user.signed_up_externally',
      subject: userId,
      detail,
    });
    return created;
  });
  if (user !== null) await spendInvite(ctx, user, aim);
  return user;
}

async function createVerified(tx: Connection, email: string, emailVerifiedAt: Date): Promise<User | null> {
  const created = await createUserWithAccount(tx, { email, passwordHash: NO_PASSWORD, emailVerifiedAt });
  return created?.user ?? null;
}

/** The first-run link makes its user the operator: the address is already verified. */
async function spendInvite(ctx: Context, user: User, aim: EnterAim): Promise<void> {
  if (aim.operatorToken === null || user.emailVerifiedAt === null) return;
  const nowMs = ctx.deps.clock.nowMs();
  const tokenHash = hashLinkToken(aim.operatorToken);
  await inTransaction(ctx.deps.db, async (tx) => {
    if (!(await bindOperatorInvite(tx, { tokenHash, userId: user.id, nowMs }))) return;
    if (await spendOperatorInvite(tx, { userId: user.id, nowMs }))
      await recordAudit(tx, { actorUserId: user.id, action: 'user.became_operator', subject: user.id });
  });
}

/**
 * An invited person could forward the link to another person, whose identity would then belong to the sender's login. So an
 * identity that is not linked yet needs the provider's word for the invited address.
 */
function requireInvitedEmail(ctx: Context, { provider, person }: Arrival, invited: string): void {
  if (person.verifiedEmail === invited) return;
  ctx.setCookie(joinTicket.blank(ctx.deps));
  throw deny(
    'BAD_REQUEST',
    `The invitation is to ${invited}, but ${provider.label} did not confirm that this address is yours. Open the invitation again, and use a password.`,
    { reason: 'external_unverified' },
  );
}

function requireVerifiedEmail({ label }: ExternalProvider, { verifiedEmail }: ExternalPerson): string {
  if (verifiedEmail !== null) return verifiedEmail;
  throw deny(
    'BAD_REQUEST',
    `Your email address is not verified at ${label}. Verify it there and try again.`,
    {
      reason: 'external_unverified',
    },
  );
}
