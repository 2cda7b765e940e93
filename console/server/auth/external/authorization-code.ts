import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
} from 'openid-client';
import { ExternalSignInError, type ExternalChecks } from './provider.ts';

export const TIMEOUT_SECONDS = 10;

interface CodeRequest {
  scope: string;
  redirectUri: string;
  checks: ExternalChecks;
  /** False for providers that support only OAuth. */
  hasIdToken: boolean;
  /** Ask for a new sign-in (https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest). */
  isFresh: boolean;
}

/** With `max_age`, the ID token must contain the time of the sign-in. Providers that refuse 0 accept a minute. */
const FRESH_SECONDS = '60';

/** The provider's page, with everything that its answer will be checked against (RFC 9700). */
export async function codeRequestUrl(config: Configuration, request: CodeRequest): Promise<string> {
  const { state, nonce, codeVerifier } = request.checks;
  const url = buildAuthorizationUrl(config, {
    redirect_uri: request.redirectUri,
    scope: request.scope,
    state,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(request.hasIdToken && { nonce }),
    ...(request.isFresh && { prompt: 'login', max_age: FRESH_SECONDS }),
  });
  return url.href;
}

/** Exchanges the callback's code for tokens, which are used once and not stored. */
export function exchangeCode(
  config: Configuration,
  callbackUrl: URL,
  { checks, hasIdToken }: Pick<CodeRequest, 'checks' | 'hasIdToken'>,
) {
  return authorizationCodeGrant(config, callbackUrl, {
    expectedState: checks.state,
    pkceCodeVerifier: checks.codeVerifier,
    ...(hasIdToken && { expectedNonce: checks.nonce, idTokenExpected: true }),
  });
}

/** Runs a call to a provider. @throws ExternalSignInError for every failure */
export async function askProvider<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isDenied = error instanceof AuthorizationResponseError && error.error === 'access_denied';
    throw new ExternalSignInError(isDenied ? 'denied' : 'failed', error);
  }
}
