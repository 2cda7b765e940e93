import { SESSION_HEADERS } from '@tollgate/core/requests/route-choice';
import { toSessionName } from '@tollgate/core/requests/session-name';
import { asObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { findSession } from '@tollgate/dialects/prompt-cache/find-session';

interface NamedRequest {
  /** Of the caller's body. */
  members: JsonObject;
  header: (name: string) => string | null;
}

/**
 * The name that a caller gives to its session: in a header, as Claude Code in `metadata.user_id`, or by the key of its prompt
 * cache, which Codex sends too. Other users in `metadata.user_id` have many sessions, and are not used.
 * @returns null: it names none
 */
export function findSessionName({ members, header }: NamedRequest): string | null {
  for (const name of SESSION_HEADERS) {
    const session = toSessionName(header(name));
    if (session !== null) return session;
  }
  const userId = asObject(members['metadata'])?.['user_id'];
  if (typeof userId === 'string') {
    const session = toSessionName(findSession(userId));
    if (session !== null) return session;
  }
  return toSessionName(members['prompt_cache_key']);
}
