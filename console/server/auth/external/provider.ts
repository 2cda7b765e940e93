import type { IdentityProvider } from '@tollgate/db/queries/users/identities';

/** Who someone is, by a provider's word. */
export interface ExternalPerson {
  issuer: string;
  subject: string;
  /** In lower case; null: the provider names no address that it has verified. */
  verifiedEmail: string | null;
  /** When the user last signed in at the provider, as signed by the provider; null: it did not say. */
  authenticatedAtMs: number | null;
}

/** Values that bind a sign-in to a browser; they are only in its cookie. */
export interface ExternalChecks {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** One provider that people may sign in with. */
export interface ExternalProvider {
  id: IdentityProvider;
  /** On the button: `GitHub`. */
  label: string;
  /** It can ask for a new sign-in and prove when it happened, so it can confirm an identity. */
  provesFreshness: boolean;
  /**
   * Where the browser is sent.
   * @param request.isFresh the user must sign in again, even if the provider knows the browser
   * @throws ExternalSignInError
   */
  authorizationUrl(
    checks: ExternalChecks,
    request: { redirectUri: string; isFresh: boolean },
  ): Promise<string>;
  /**
   * Identifies the returning user.
   * @param callbackUrl the redirect URI with the query of the provider
   * @throws ExternalSignInError
   */
  identify(callbackUrl: URL, checks: ExternalChecks): Promise<ExternalPerson>;
}

/** `denied`: the user or the provider refused. `failed`: any other error; the log has the details. */
export class ExternalSignInError extends Error {
  override name = 'ExternalSignInError';
  readonly reason: 'denied' | 'failed';

  constructor(reason: 'denied' | 'failed', cause: unknown) {
    super(`An external sign-in was ${reason === 'denied' ? 'denied' : 'broken off'}`, { cause });
    this.reason = reason;
  }
}
