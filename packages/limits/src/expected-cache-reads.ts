import type { Clock } from '@tollgate/core/runtime/clock';

/** How long providers keep a prefix at least. */
const LIFE_MS = 5 * 60_000;
const MAX_SESSIONS = 10_000;

interface CachedInput {
  tokens: number;
  untilMs: number;
}

/** The input that one request will probably read from its provider's prompt cache. */
export interface ExpectedCacheRead {
  /** 0: unknown. */
  readonly tokens: number;
  /**
   * Learns from the end of the request.
   * @param cachedTokens input that the provider has read from its cache or written to it; null: the request was not answered
   */
  settle(cachedTokens: number | null): void;
}

/**
 * Remembers for each session how much of its input the provider has in its prompt cache. Where cache reads do not count in the
 * tokens per minute, a request then does not reserve what it will only read from there; the difference to actual usage is
 * corrected at the end of the request. Only one request of a session at a time may expect it, so that a limit is not exceeded
 * by more than what was in a cache.
 */
export class ExpectedCacheReads {
  readonly #clock: Clock;
  /** By session, the least recent first. */
  readonly #sessions = new Map<number, CachedInput>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param session its hash */
  expect(session: number): ExpectedCacheRead {
    const known = this.#sessions.get(session);
    this.#sessions.delete(session);
    const isAlive = known !== undefined && this.#clock.nowMs() < known.untilMs;
    return {
      tokens: isAlive ? known.tokens : 0,
      settle: (cachedTokens) => {
        if (cachedTokens !== null && cachedTokens > 0)
          this.#put(session, { tokens: cachedTokens, untilMs: this.#clock.nowMs() + LIFE_MS });
        else if (cachedTokens === null && isAlive && !this.#sessions.has(session)) this.#put(session, known);
      },
    };
  }

  #put(session: number, cached: CachedInput): void {
    this.#sessions.delete(session);
    this.#sessions.set(session, cached);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
  }
}
