import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import {
  listPasskeys,
  lockPasskey,
  markPasskeyUsed,
  type Passkey,
} from '@tollgate/db/queries/users/passkeys';
import type { User } from '@tollgate/db/queries/users/users';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import type { ActiveSession } from '../sessions.ts';
import { noteSecondFactor } from './second-factor-policy.ts';
import { confirmSession } from './confirm-identity.ts';
import { enterFully, type Entry } from './enter.ts';
import { issueChallenge, takeChallenge } from './passkey-ticket.ts';
import { throttle } from './throttle.ts';
import { requireRelyingParty, webauthn } from './webauthn.ts';

type SignedInContext = Context & { session: ActiveSession };

/** Options for a passkey prompt. They reveal nothing about any user. */
export async function beginPasskeySignIn(ctx: Context) {
  await throttle(ctx, { passkeyByIp: [ctx.clientIp] });
  const options = await makeOptions(ctx, []);
  issueChallenge(ctx, { use: 'sign_in', challenge: options.challenge, userId: null });
  return options;
}

/**
 * Signs in with only a passkey. Its authenticator has verified the user by biometrics or a PIN, which are two
 * factors, so no code is required.
 */
export async function signInByPasskey(ctx: Context, response: AuthenticationResponseJSON): Promise<Entry> {
  await throttle(ctx, { passkeyByIp: [ctx.clientIp] });
  const challenge = await takeChallenge(ctx, { use: 'sign_in', userId: null });
  const user = await checkPasskey(ctx, { response, challenge });
  const entry =
    user === null ? null : await enterFully(ctx, user, { checkedPasswordHash: null, hasSecondFactor: true });
  if (entry === null) throw denyPasskey();
  return entry;
}

export async function beginPasskeyConfirmation(ctx: SignedInContext) {
  const userId = ctx.session.user.id;
  const options = await makeOptions(ctx, await listPasskeys(ctx.deps.db, userId));
  issueChallenge(ctx, { use: 'confirm', challenge: options.challenge, userId });
  return options;
}

/** Re-authenticates with a passkey instead of the password. */
export async function confirmByPasskey(
  ctx: SignedInContext,
  response: AuthenticationResponseJSON,
): Promise<void> {
  const userId = ctx.session.user.id;
  await throttle(ctx, { passwordBySession: [ctx.session.id] });
  const challenge = await takeChallenge(ctx, { use: 'confirm', userId });
  const user = await checkPasskey(ctx, { response, challenge });
  if (user?.id !== userId) throw denyPasskey();
  await confirmSession(ctx);
  await noteSecondFactor(ctx);
}

async function makeOptions({ deps }: Context, allowed: Passkey[]) {
  const { id: rpID } = requireRelyingParty(deps.settings);
  const { generateAuthenticationOptions } = await webauthn();
  const { extensions: _extensions, ...options } = await generateAuthenticationOptions({
    rpID,
    userVerification: 'required',
    allowCredentials: allowed.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports,
    })),
  });
  return options;
}

interface Attempt {
  response: AuthenticationResponseJSON;
  challenge: string;
}

/** @returns whose passkey has signed the challenge; null if none of ours has */
async function checkPasskey(ctx: Context, attempt: Attempt): Promise<User | null> {
  return inTransaction(ctx.deps.db, async (tx) => {
    const found = await lockPasskey(tx, Buffer.from(attempt.response.id, 'base64url'));
    if (found === null || found.user.deletedAt !== null) return null;
    return (await spendSignature(tx, ctx, { ...attempt, passkey: found.passkey })) ? found.user : null;
  });
}

async function spendSignature(
  tx: Connection,
  { deps }: Context,
  { response, challenge, passkey }: Attempt & { passkey: Passkey },
): Promise<boolean> {
  const party = requireRelyingParty(deps.settings);
  const { verifyAuthenticationResponse } = await webauthn();
  // It throws on whatever is not as it should be, a counter that went back included.
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId.toString('base64url'),
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
      transports: passkey.transports,
    },
  }).catch(() => null);
  if (verified?.verified !== true) return false;
  const { newCounter: counter } = verified.authenticationInfo;
  await markPasskeyUsed(tx, { id: passkey.id, counter, at: new Date(deps.clock.nowMs()) });
  return true;
}

function denyPasskey() {
  return deny('BAD_REQUEST', 'This passkey is not registered here. It may have been removed.');
}
