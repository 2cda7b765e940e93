import { hashApiKeyHex, isWellFormedApiKey } from '@tollgate/auth/api-key';
import type { Clock } from '@tollgate/core/runtime/clock';
import { deny, type Result } from '@tollgate/core/errors/errors';
import type { CachedKey, KeyCache } from './key-cache.ts';

/** Without the name of Anthropic's header: Claude Code hides messages that contain it. */
const HOW = "Send a Tollgate key as 'Authorization: Bearer sk-…'.";
const NEW_KEY = 'Create a new key in the Tollgate console, then replace it in your client.';

/** The SHA-256 of the key of a request, in hex, which identifies it. Denies what cannot be a key. */
export function hashPresentedKey(presented: string | null): Result<string> {
  if (presented === null) return deny('missing_api_key', `Authentication Error: no API key was sent. ${HOW}`);
  if (!isWellFormedApiKey(presented)) {
    return deny(
      'malformed_api_key',
      'Authentication Error: this is not a Tollgate API key, or it is mistyped or incomplete. Check that your client uses a Tollgate key, and that you copied all of it.',
    );
  }
  return { ok: true, value: hashApiKeyHex(presented) };
}

/** Finds a key and checks that it is active. Synchronous if the key is cached. */
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
      `Authentication Error: this API key does not exist in Tollgate. ${NEW_KEY}`,
    );
  }
  if (key.revokedAt !== null) {
    return deny('revoked_api_key', `Authentication Error: this Tollgate API key was revoked. ${NEW_KEY}`);
  }
  if (key.expiresAt !== null && key.expiresAt.getTime() <= clock.nowMs()) {
    const when = key.expiresAt.toISOString();
    return deny(
      'expired_api_key',
      `Authentication Error: this Tollgate API key expired at ${when}. ${NEW_KEY}`,
    );
  }
  return { ok: true, value: key };
}
