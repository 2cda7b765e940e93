import type { Clock } from '@tollgate/core/runtime/clock';

/** Sessions that are remembered; beyond this the oldest are forgotten. */
const MAX_SESSIONS = 20_000;
/** How long providers keep a prefix at least: https://docs.claude.com/en/docs/build-with-claude/prompt-caching */
const WARM_MS = 300_000;
/** Providers cache no shorter input. */
const LEAST_TOKENS = 1_024;

/** Where the prompt cache has the input of a session. */
export interface WarmRoute {
  routeId: string;
  /** What the next request of the session may read from the cache; 0: nothing. */
  tokens: number;
}

interface Remembered extends WarmRoute {
  /** True: its provider did not read what it should have cached. */
  isCold: boolean;
  untilMs: number;
}

interface CacheUse {
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
}

/**
 * The route that answered a session last, in this process, while the provider's prompt cache has its input. Other replicas
 * choose without it.
 */
export class WarmRoutes {
  readonly #clock: Clock;
  readonly #sessions = new Map<number, Remembered>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns null if no cache is known to have the session */
  find(session: number | null): WarmRoute | null {
    const found = session === null ? null : this.#find(session);
    return found === null || found.tokens === 0 ? null : found;
  }

  /** The route has answered a request of the session. @param use what it read from and wrote to its cache */
  note(session: number, routeId: string, use: CacheUse): void {
    const before = this.#find(session);
    const { inputTokens, cacheReadTokens, cacheWriteTokens } = use;
    // Some providers report no cache writes, so that all of a first input may be cached. A route that should have read from
    // its cache and did not has cached only what it reports.
    const isCold =
      before?.routeId === routeId && cacheReadTokens === 0 && (before.isCold || before.tokens > 0);
    const tokens = cacheReadTokens + cacheWriteTokens + (isCold ? 0 : inputTokens);
    this.#sessions.delete(session);
    if (this.#sessions.size >= MAX_SESSIONS) this.#dropOldest();
    const untilMs = this.#clock.nowMs() + WARM_MS;
    this.#sessions.set(session, { routeId, tokens: tokens < LEAST_TOKENS ? 0 : tokens, isCold, untilMs });
  }

  keepOnly(isKept: (routeId: string) => boolean): void {
    for (const [session, { routeId }] of this.#sessions) if (!isKept(routeId)) this.#sessions.delete(session);
  }

  #find(session: number): Remembered | null {
    const found = this.#sessions.get(session);
    return found === undefined || found.untilMs <= this.#clock.nowMs() ? null : found;
  }

  #dropOldest(): void {
    for (const oldest of this.#sessions.keys()) {
      this.#sessions.delete(oldest);
      return;
    }
  }
}
