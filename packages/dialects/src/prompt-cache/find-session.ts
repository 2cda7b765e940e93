import { parseJsonObject } from '../json/parse-object.ts';

/** Claude Code until version 2.1.77: `user_<hash>_account_<id>_session_<id>`. */
const SESSION = /_session_([\w-]{8,64})$/;
const MAX_SESSION = 128;
/** Longer JSON is not from Claude Code. */
const MAX_USER_LENGTH = 2_000;

/**
 * Finds the session that Claude Code names in `metadata.user_id`; newer versions write JSON there.
 * @returns null for the user of another program
 */
export function findSession(userId: string | null): string | null {
  if (userId === null) return null;
  const found = SESSION.exec(userId)?.[1];
  if (found !== undefined) return found;
  const isJson = userId.startsWith('{') && userId.length <= MAX_USER_LENGTH;
  const session = isJson ? parseJsonObject(userId)?.['session_id'] : undefined;
  return typeof session === 'string' && session !== '' && session.length <= MAX_SESSION ? session : null;
}
