import type { Clock } from '@tollgate/core/runtime/clock';

/** The time since the process started: setting the machine's clock does not move it. */
export const processClock: Clock = { nowMs: () => performance.now() };

/**
 * The time in whole milliseconds that never goes back: where a clock is set back, this one goes on from where it was.
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
