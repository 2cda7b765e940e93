import { createHash } from 'node:crypto';

/**
 * The `prompt_cache_key` of a session: 43 characters. It depends on the account, so that no account can choose the key of
 * another one.
 */
export function computeSessionKey(accountId: string, session: string): string {
  return createHash('sha256')
    .update(JSON.stringify([accountId, session]))
    .digest('base64url');
}
