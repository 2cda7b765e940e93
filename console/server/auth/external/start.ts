import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { IdentityProvider } from '@tollgate/db/queries/users/identities';
import type { Context } from '../../context.ts';
import type { Deps } from '../../deps.ts';
import { deny, notFound } from '../../denial.ts';
import { throttle } from '../throttle.ts';
import { ExternalSignInError, type ExternalProvider } from './provider.ts';
import { journeyTicket, type Journey } from './tickets.ts';

/** The redirect URI: a page of the console, registered at the provider. */
export function redirectUri({ settings }: Deps, provider: IdentityProvider): string {
  return `${settings.publicConsoleUrl}/sign-in/${provider}`;
}

/** @throws NOT_FOUND if the operator has not set it up */
export function getProvider({ externalProviders }: Deps, id: IdentityProvider): ExternalProvider {
  const provider = externalProviders.find((candidate) => candidate.id === id);
  if (provider === undefined) throw notFound('sign-in provider');
  return provider;
}

/** Sends a person to a provider. What the way back is checked against stays in a cookie of this browser. */
export async function startJourney(
  ctx: Context,
  id: IdentityProvider,
  aim: Journey['aim'],
): Promise<{ url: string }> {
  const { deps } = ctx;
  const provider = getProvider(deps, id);
  await throttle(ctx, { externalByIp: [ctx.clientIp] });
  const checks = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
  try {
    const url = await provider.authorizationUrl(checks, {
      redirectUri: redirectUri(deps, id),
      isFresh: aim.kind === 'confirm',
    });
    ctx.setCookie(journeyTicket.issue(deps, { provider: id, ...checks, aim }));
    return { url };
  } catch (error) {
    throw denyExternal(ctx, provider, error);
  }
}

/** Messages for a failed external sign-in. */
export function denyExternal(ctx: Context, { id, label }: ExternalProvider, error: unknown) {
  if (!(error instanceof ExternalSignInError)) return error;
  if (error.reason === 'denied')
    return deny('BAD_REQUEST', `${label} denied the sign-in. Nothing was changed.`, {
      reason: 'external_denied',
    });
  ctx.log.warn({ provider: id, err: describeCause(error.cause) }, 'an external sign-in failed');
  return deny('BAD_REQUEST', `${label} could not be reached. Try again in a moment.`, {
    reason: 'external_failed',
  });
}

/** Names the error; messages and bodies of providers may contain codes and tokens. */
function describeCause(cause: unknown): { name: string; code: string | null } {
  if (!(cause instanceof Error)) return { name: typeof cause, code: null };
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
  return { name: cause.name, code };
}
