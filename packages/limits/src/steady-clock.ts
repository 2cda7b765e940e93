import type { Clock } from '@tollgate/core/runtime/clock';

/** Time since the process started, independent of the system clock. */
export const processClock: Clock = { nowMs: () => performance.now() };

/**
 * Monotonic time in whole milliseconds: if the given clock is set back, this one continues from its last value.
 */
export class SteadyClock implements Clock {
  readonly #clock: Clock;
  #aheadMs = 0;
  #lastMs = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  nowMs(): number {
    const readMs = Math.floor(this.#clock.nowMs());
    if (readMs + this.#aheadMs < this.#lastMs) this.#aheadMs = this.#lastMs - readMs;
    this.#lastMs = readMs + this.#aheadMs;
    return this.#lastMs;
  }
}
