/** What may name the session of a request, in the order in which it counts. */
export const SESSION_SOURCES = [
  'prompt_cache_key',
  'x-session-id',
  'x-claude-code-session-id',
  'session_id',
  'metadata.user_id',
  'first messages',
] as const;

export type SessionSource = (typeof SESSION_SOURCES)[number];

/**
 * Why the first route of a request was the first: no other has its priority and needs as little translation, its session by
 * what names it, or a draw by weight.
 */
export type RouteChoice = 'priority' | `session ${SessionSource}` | 'weight';
