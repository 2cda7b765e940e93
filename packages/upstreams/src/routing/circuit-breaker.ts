import type { Clock } from '@tollgate/core/runtime/clock';

/** Rules for closing and reopening a route. */
export interface BreakerPolicy {
  /** Failures in a row that open the breaker. */
  failures: number;
  /** How long an open breaker refuses all attempts, in milliseconds. */
  openMs: number;
}

export const DEFAULT_BREAKER: BreakerPolicy = { failures: 5, openMs: 10_000 };

/** How many times `openMs` after the last failure of a request failed health checks keep a breaker open. */
const MOST_KEPT_OPEN = 6;

export type BreakerState = 'closed' | 'open' | 'half-open';

/** State of a failing route. */
export interface BreakerReport {
  state: BreakerState;
  /** When it first opened, or first failed if closed, since the last success. */
  sinceMs: number;
  /** Time until the next attempt; 0: an attempt may be made. */
  retryInMs: number;
  /** Consecutive failures. */
  failures: number;
  /** One word: `timeout`, `status_529`. */
  lastError: string;
  lastFailureAtMs: number;
}

/**
 * Protects callers from waiting for a failing route: after consecutive failures it refuses attempts for a while, then
 * allows one probe at a time, and closes when a probe succeeds (https://martinfowler.com/bliki/CircuitBreaker.html).
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

  /** True if an attempt may be made now; if half-open, that attempt is the probe. */
  tryPass(): boolean {
    switch (this.state) {
      case 'closed':
        return true;
      case 'open':
        return false;
      case 'half-open': {
        const nowMs = this.#clock.nowMs();
        // A probe without a result counts as lost after the time that the breaker stays open.
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

  /** The route answers others again: it closes, but the next failure opens it again. */
  recover(): void {
    if (this.#openedAtMs === null) return;
    this.#openedAtMs = null;
    this.#probeSinceMs = null;
    this.#failuresInARow = Math.min(this.#failuresInARow, this.#policy.failures - 1);
  }

  /**
   * The route still fails for others: if open, it stays so for its whole time. Others may fail for their own reasons, so
   * a probe is allowed some time after the last failure of a request.
   */
  keepOpen(): void {
    const nowMs = this.#clock.nowMs();
    const isLong = nowMs - this.#lastFailureAtMs >= MOST_KEPT_OPEN * this.#policy.openMs;
    if (this.#openedAtMs !== null && !isLong) this.#openedAtMs = nowMs;
  }

  /** @returns null if it has not failed since the last success */
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

  /** The attempt says nothing about the route: the caller left, or the request was invalid. */
  release(): void {
    this.#probeSinceMs = null;
  }
}
