import type { Clock } from '@tollgate/core/clock';

/** When a route is taken out of use, and how it comes back. */
export interface BreakerPolicy {
  /** Failures in a row that open the breaker. */
  failures: number;
  /** How long an open breaker lets nothing pass, in milliseconds. */
  openMs: number;
}

const DEFAULT_BREAKER: BreakerPolicy = { failures: 5, openMs: 10_000 };

export type BreakerState = 'closed' | 'open' | 'half-open';

/**
 * Keeps callers from waiting for a route that fails: after some failures in a row it lets nothing pass for a while, then one
 * probe at a time, and closes when a probe succeeds (https://martinfowler.com/bliki/CircuitBreaker.html).
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #policy: BreakerPolicy;
  #failuresInARow = 0;
  #openedAtMs: number | null = null;
  #probeSinceMs: number | null = null;

  constructor(clock: Clock, policy: BreakerPolicy = DEFAULT_BREAKER) {
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

  fail(): void {
    this.#failuresInARow += 1;
    if (this.#openedAtMs === null && this.#failuresInARow < this.#policy.failures) return;
    this.#openedAtMs = this.#clock.nowMs();
    this.#probeSinceMs = null;
  }

  /** The attempt told nothing about the route: the caller left, or the request itself was wrong. */
  release(): void {
    this.#probeSinceMs = null;
  }
}
