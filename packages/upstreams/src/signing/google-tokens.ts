import type { JWT } from 'google-auth-library';
import type { GoogleCredential } from '../credential/credential.ts';
import type { UpstreamTransport } from '../transport/transport.ts';
import { CredentialRefused } from './credential-refused.ts';
import { postOver } from './post-over.ts';

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
/** How long before its end a token is renewed. */
const REFRESH_AHEAD_MS = 5 * 60 * 1000;
const TIMEOUT_MS = 10_000;
/** Maximum number of cached service accounts: every reload of a catalogue opens credentials anew. */
const MAX_ACCOUNTS = 100;

/**
 * Access tokens of Google service accounts (https://developers.google.com/identity/protocols/oauth2/service-account):
 * cached while valid, with one request at a time per account.
 */
export class GoogleTokens {
  readonly #accounts = new Map<string, Promise<JWT>>();
  readonly #connected = new WeakMap<UpstreamTransport, Map<string, Promise<JWT>>>();

  /**
   * @param transport sends the request for a token; null: `fetch` does
   * @returns the token for `Bearer`
   * @throws CredentialRefused if Google refuses the account's key, Error if Google is unreachable
   */
  async get(credential: GoogleCredential, transport: UpstreamTransport | null = null): Promise<string> {
    const account = await this.#getAccount(credential, transport);
    try {
      const { token } = await account.getAccessToken();
      if (typeof token === 'string' && token !== '') return token;
    } catch (error) {
      if (isRefusal(error))
        throw new CredentialRefused(`Google does not take the key of ${credential.clientEmail}`, {
          cause: error,
        });
      const held = findHeldToken(account);
      if (held !== null) return held;
      throw error;
    }
    throw new Error('The token endpoint answered without a token');
  }

  #getAccount(credential: GoogleCredential, transport: UpstreamTransport | null): Promise<JWT> {
    const accounts = this.#getAccounts(transport);
    const { clientEmail, privateKey, tokenUrl } = credential;
    const key = [clientEmail, tokenUrl, privateKey].join('\n');
    let account = accounts.get(key);
    if (account === undefined) {
      account = createAccount(credential, transport);
      accounts.set(key, account);
      const [oldest] = accounts.keys();
      if (accounts.size > MAX_ACCOUNTS && oldest !== undefined) accounts.delete(oldest);
    }
    return account;
  }

  /** An account keeps the transport that it was created with. */
  #getAccounts(transport: UpstreamTransport | null): Map<string, Promise<JWT>> {
    if (transport === null) return this.#accounts;
    const known = this.#connected.get(transport);
    if (known !== undefined) return known;
    const accounts = new Map<string, Promise<JWT>>();
    this.#connected.set(transport, accounts);
    return accounts;
  }
}

/** Loads the library on first use: it is large, and most installations do not need it. */
async function createAccount(
  { clientEmail, privateKey, tokenUrl }: GoogleCredential,
  transport: UpstreamTransport | null,
): Promise<JWT> {
  const { JWT } = await import('google-auth-library');
  return new JWT({
    email: clientEmail,
    key: privateKey,
    scopes: [SCOPE],
    eagerRefreshThresholdMillis: REFRESH_AHEAD_MS,
    // The library has a fixed token endpoint; the account's file contains its own.
    additionalClaims: { aud: tokenUrl },
    transporterOptions: {
      timeout: TIMEOUT_MS,
      fetchImplementation: (_input, init) =>
        transport === null ? fetch(tokenUrl, init) : postOver(transport, tokenUrl, init),
    },
  });
}

/** Returns the last token while it is valid, so that a short outage of the endpoint has no effect. */
function findHeldToken({ credentials }: JWT): string | null {
  const { access_token: token, expiry_date: endsMs } = credentials;
  return typeof token === 'string' && typeof endsMs === 'number' && endsMs > Date.now() ? token : null;
}

/** True if a response refuses the key, or the key cannot sign. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!('response' in error) || !isObject(error.response)) return !('config' in error);
  const { status } = error.response;
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
