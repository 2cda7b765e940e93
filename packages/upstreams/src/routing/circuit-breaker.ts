import type { Clock } from '@tollgate/core/runtime/clock';

/** When a route is taken out of use, and how it comes back. */
export interface BreakerPolicy {
  /** Failures in a row that open the breaker. */
  failures: number;
  /** How long an open breaker lets nothing pass, in milliseconds. */
  openMs: number;
}

export const DEFAULT_BREAKER: BreakerPolicy = { failures: 5, openMs: 10_000 };

export type BreakerState = 'closed' | 'open' | 'half-open';

/** What is known of a route that fails. */
export interface BreakerReport {
  state: BreakerState;
  /** When it opened first, or failed first where it is closed; since then nothing has succeeded. */
  sinceMs: number;
  /** How long it lets nothing pass; 0: an attempt may be made. */
  retryInMs: number;
  /** In a row. */
  failures: number;
  /** In a word: `timeout`, `status_529`. */
  lastError: string;
  lastFailureAtMs: number;
}

/**
 * Keeps callers from waiting for a route that fails: after some failures in a row it lets nothing pass for a while, then one
 * probe at a time, and closes when a probe succeeds (https://martinfowler.com/bliki/CircuitBreaker.html).
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #policy: BreakerPolicy;
  #failuresInARow = 0;
  #openedAtMs: number | null = null;
  #sinceMs = 0;
  #lastError = '';
  #lastFailureAtMs = 0;
  #probeSinceMs: number | null = null;

  constructor(clock: Clock, policy: BreakerPolicy) {
    this.#clock = clock;
    this.#policy = policy;
  }

  get state(): BreakerState {
    if (this.#openedAtMs === null) return 'closed';
    return this.#clock.nowMs() - this.#openedAtMs < this.#policy.openMs ? 'open' : 'half-open';
  }

  /** May an attempt be made now? Half-open, the one that is told yes is the probe. */
  tryPass(): boolean {
    switch (this.state) {
      case 'closed':
        return true;
      case 'open':
        return false;
      case 'half-open': {
        const nowMs = this.#clock.nowMs();
        // A probe that never reported back counts as lost after as long as the breaker stays open.
        if (this.#probeSinceMs !== null && nowMs - this.#probeSinceMs < this.#policy.openMs) return false;
        this.#probeSinceMs = nowMs;
        return true;
      }
    }
  }

  succeed(): void {
    this.#failuresInARow = 0;
    this.#openedAtMs = null;
    this.#probeSinceMs = null;
  }

  /**
   * @param error one word, such as `timeout`
   * @param threshold failures in a row that open the breaker this time
   */
  fail(error: string, threshold = this.#policy.failures): void {
    const nowMs = this.#clock.nowMs();
    this.#failuresInARow += 1;
    this.#lastError = error;
    this.#lastFailureAtMs = nowMs;
    if (this.#failuresInARow === 1) this.#sinceMs = nowMs;
    if (this.#openedAtMs === null) {
      if (this.#failuresInARow < threshold) return;
      this.#sinceMs = nowMs;
    }
    this.#openedAtMs = nowMs;
    this.#probeSinceMs = null;
  }

  /** @returns null where it has not failed, or has succeeded since */
  report(): BreakerReport | null {
    if (this.#failuresInARow === 0) return null;
    const openedAtMs = this.#openedAtMs ?? -Infinity;
    return {
      state: this.state,
      sinceMs: this.#sinceMs,
      retryInMs: Math.max(0, openedAtMs + this.#policy.openMs - this.#clock.nowMs()),
      failures: this.#failuresInARow,
      lastError: this.#lastError,
      lastFailureAtMs: this.#lastFailureAtMs,
    };
  }

  /** The attempt told nothing about the route: the caller left, or the request itself was wrong. */
  release(): void {
    this.#probeSinceMs = null;
  }
}
