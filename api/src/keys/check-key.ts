import { hashApiKeyHex, isWellFormedApiKey } from '@tollgate/auth/api-key';
import type { Clock } from '@tollgate/core/runtime/clock';
import { deny, type Result } from '@tollgate/core/errors/errors';
import type { CachedKey, KeyCache } from './key-cache.ts';

const HOW = "Send it as 'Authorization: Bearer sk-…' (or 'x-api-key: sk-…').";

/** Finds the key of a request and checks that it is active. Synchronous if the key is cached. */
export function checkKey(
  presented: string | null,
  keys: KeyCache,
  clock: Clock,
): Result<CachedKey> | Promise<Result<CachedKey>> {
  if (presented === null) return deny('missing_api_key', `Authentication Error: no API key was sent. ${HOW}`);
  if (!isWellFormedApiKey(presented)) {
    return deny(
      'malformed_api_key',
      `Authentication Error: the API key is malformed. Check that it was copied completely. ${HOW}`,
    );
  }
  return checkKeyHash(hashApiKeyHex(presented), keys, clock);
}

/** The same for a key found earlier: it may have been revoked while the body arrived. */
export function checkKeyHash(
  hashHex: string,
  keys: KeyCache,
  clock: Clock,
): Result<CachedKey> | Promise<Result<CachedKey>> {
  const found = keys.find(hashHex);
  return found instanceof Promise ? found.then((key) => judge(key, clock)) : judge(found, clock);
}

function judge(key: CachedKey | null, clock: Clock): Result<CachedKey> {
  if (key === null) {
    return deny(
      'invalid_api_key',
      'Authentication Error: this API key does not exist. Create one in the console.',
    );
  }
  if (key.revokedAt !== null) {
    return deny(
      'revoked_api_key',
      'Authentication Error: this API key was revoked. Create a new one in the console.',
    );
  }
  if (key.expiresAt !== null && key.expiresAt.getTime() <= clock.nowMs()) {
    const when = key.expiresAt.toISOString();
    return deny(
      'expired_api_key',
      `Authentication Error: this API key expired at ${when}. Create a new one in the console.`,
    );
  }
  return { ok: true, value: key };
}
