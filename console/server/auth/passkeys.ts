import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import {
  deletePasskey,
  insertPasskey,
  listPasskeys,
  renamePasskey,
  type Passkey,
} from '@tollgate/db/queries/users/passkeys';
import { lockUser } from '@tollgate/db/queries/users/users';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import { queueMail, type Mail } from '@tollgate/mail/queue-mail';
import type { Context } from '../context.ts';
import { deny, notFound } from '../denial.ts';
import { passkeyAddedMail, passkeyRemovedMail } from '../mail/security-templates.ts';
import type { ActiveSession } from '../sessions.ts';
import { linkTo } from './links.ts';
import { issueChallenge, takeChallenge } from './passkey-ticket.ts';
import { mayVouch, noteSecondFactor } from './second-factor-policy.ts';
import { requireRelyingParty, webauthn } from './webauthn.ts';

/** More than any user needs; an endless list would slow down each sign-in. */
const MAX_PASSKEYS = 20;

type SignedInContext = Context & { session: ActiveSession };

/** What the browser needs to make a passkey that signs in automatically: kept by the authenticator, unlocked by its person. */
export async function beginPasskey(ctx: SignedInContext) {
  const { deps, session } = ctx;
  const party = requireRelyingParty(deps.settings);
  const { id: userId, email } = session.user;
  const known = await listPasskeys(deps.db, userId);
  if (known.length >= MAX_PASSKEYS)
    throw deny('BAD_REQUEST', `You have ${MAX_PASSKEYS} passkeys. Remove one that you no longer use.`);
  const { generateRegistrationOptions } = await webauthn();
  const { extensions: _extensions, ...options } = await generateRegistrationOptions({
    rpName: 'Tollgate',
    rpID: party.id,
    userName: email,
    userID: new Uint8Array(Buffer.from(userId)),
    userDisplayName: email,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  issueChallenge(ctx, { use: 'register', challenge: options.challenge, userId });
  return options;
}

/** Keeps the passkey that the browser has made. */
export async function addPasskey(
  ctx: SignedInContext,
  input: { name: string; response: RegistrationResponseJSON },
): Promise<Passkey> {
  const { deps } = ctx;
  const { name } = input;
  const userId = ctx.session.user.id;
  const party = requireRelyingParty(deps.settings);
  const expectedChallenge = await takeChallenge(ctx, { use: 'register', userId });
  const { verifyRegistrationResponse } = await webauthn();
  const verified = await verifyRegistrationResponse({
    response: input.response,
    expectedChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch(() => null);
  if (verified?.verified !== true)
    throw deny('BAD_REQUEST', 'This passkey cannot be used here. Try another passkey.');
  const { credential } = verified.registrationInfo;
  const added = await inTransaction(deps.db, async (tx) => {
    const passkey = await insertPasskey(tx, {
      userId,
      name,
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
      createdAt: new Date(deps.clock.nowMs()),
    });
    if (passkey !== null)
      await notify(tx, ctx, { action: 'user.passkey_added', passkey, writeMail: passkeyAddedMail });
    return passkey;
  });
  if (added === null) throw deny('BAD_REQUEST', 'This passkey is already registered.');
  if (mayVouch(ctx.session)) await noteSecondFactor(ctx);
  deps.onMailQueued();
  return added;
}

export async function removePasskey(ctx: SignedInContext, id: string): Promise<void> {
  const { deps } = ctx;
  await inTransaction(deps.db, async (tx) => {
    const name = await deletePasskey(tx, { userId: ctx.session.user.id, id });
    if (name === null) throw notFound('passkey');
    await notify(tx, ctx, {
      action: 'user.passkey_removed',
      passkey: { id, name },
      writeMail: passkeyRemovedMail,
    });
  });
  deps.onMailQueued();
}

export async function nameAnew(
  { deps, session }: SignedInContext,
  passkey: { id: string; name: string },
): Promise<void> {
  const userId = session.user.id;
  if (!(await renamePasskey(deps.db, { userId, ...passkey }))) throw notFound('passkey');
  await recordAudit(deps.db, { actorUserId: userId, action: 'user.passkey_renamed', subject: passkey.id });
}

async function notify(
  tx: Connection,
  { deps, session }: SignedInContext,
  event: {
    action: string;
    passkey: { id: string; name: string };
    writeMail: (input: { name: string; forgotLink: string }) => Mail;
  },
): Promise<void> {
  const user = await lockUser(tx, session.user.id);
  if (user === null) return;
  const { id, name } = event.passkey;
  await recordAudit(tx, { actorUserId: user.id, action: event.action, subject: id, detail: { name } });
  const mail = event.writeMail({ name, forgotLink: linkTo(deps.settings, 'forgot') });
  await queueMail(tx, deps.sealer, { recipient: user.email, mail });
}
