import type { JWT } from 'google-auth-library';
import type { GoogleCredential } from '../credential/credential.ts';
import { CredentialRefused } from './credential-refused.ts';

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
/** A token is bought anew so long before it ends. */
const REFRESH_AHEAD_MS = 5 * 60 * 1000;
const TIMEOUT_MS = 10_000;
/** Service accounts remembered: catalogues are read again and again, with credentials opened anew each time. */
const MAX_ACCOUNTS = 100;

/**
 * Access tokens of Google service accounts (https://developers.google.com/identity/protocols/oauth2/service-account):
 * kept for as long as they hold, and one purchase at a time for each account.
 */
export class GoogleTokens {
  readonly #accounts = new Map<string, Promise<JWT>>();

  /**
   * @returns what goes behind `Bearer`
   * @throws CredentialRefused where Google does not take the account's key, Error where it cannot be asked
   */
  async get(credential: GoogleCredential): Promise<string> {
    const account = await this.#accountOf(credential);
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

  #accountOf(credential: GoogleCredential): Promise<JWT> {
    const { clientEmail, privateKey, tokenUrl } = credential;
    const key = [clientEmail, tokenUrl, privateKey].join('\n');
    let account = this.#accounts.get(key);
    if (account === undefined) {
      account = createAccount(credential);
      this.#accounts.set(key, account);
      const [oldest] = this.#accounts.keys();
      if (this.#accounts.size > MAX_ACCOUNTS && oldest !== undefined) this.#accounts.delete(oldest);
    }
    return account;
  }
}

/** The library is loaded by the first who needs it: it is large, and most installations never do. */
async function createAccount({ clientEmail, privateKey, tokenUrl }: GoogleCredential): Promise<JWT> {
  const { JWT } = await import('google-auth-library');
  return new JWT({
    email: clientEmail,
    key: privateKey,
    scopes: [SCOPE],
    eagerRefreshThresholdMillis: REFRESH_AHEAD_MS,
    // The library knows one token endpoint; the file of the account names its own.
    additionalClaims: { aud: tokenUrl },
    transporterOptions: {
      timeout: TIMEOUT_MS,
      fetchImplementation: (_input, init) => fetch(tokenUrl, init),
    },
  });
}

/** The last token, which still holds for a while when it is to be renewed: an endpoint that is away for a moment harms nobody. */
function findHeldToken({ credentials }: JWT): string | null {
  const { access_token: token, expiry_date: endsMs } = credentials;
  return typeof token === 'string' && typeof endsMs === 'number' && endsMs > Date.now() ? token : null;
}

/** Refused by an answer that says so, or never sent because the key cannot sign. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!('response' in error) || !isObject(error.response)) return !('config' in error);
  const { status } = error.response;
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
