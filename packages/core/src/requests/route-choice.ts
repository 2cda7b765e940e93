/** The headers that name a session. Codex sends the fourth one, earlier versions the third; OpenCode sends the last one. */
export const SESSION_HEADERS = [
  'x-session-id',
  'x-claude-code-session-id',
  'session_id',
  'session-id',
  'x-session-affinity',
] as const;

/** What may name the session of a request, in the order in which it counts for the order of its routes. */
export const SESSION_SOURCES = [
  'prompt_cache_key',
  ...SESSION_HEADERS,
  'metadata.user_id',
  'first messages',
] as const;

export type SessionSource = (typeof SESSION_SOURCES)[number];

/** Why a strategy put a route first: with the number that it was compared by, or to measure it. */
export type StrategyChoice =
  /** Milliseconds until the end of a usual response. */
  | `latency ${number}`
  | `latency session ${number}`
  | 'latency probe'
  /** Nano-dollars at the provider. */
  | `price ${number}`
  /** Per cent of the rate limits that are left. */
  | `usage ${number}`
  | `usage session ${number}`;

/**
 * Why the first route of a request was the first: no other has its priority and needs as little translation, its session by
 * what names it, a draw by weight, or the strategy of its model.
 */
export type RouteChoice = 'priority' | `session ${SessionSource}` | 'weight' | StrategyChoice;
