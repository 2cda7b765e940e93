/** After this time without an exit, the next one counts as the first. */
const FORGET_AFTER_MS = 60_000;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 15_000;

/** The waits before a worker that ended is started again: each is twice as long as the one before. */
export class RestartDelays {
  #count = 0;
  #lastMs = -Infinity;

  /** @param nowMs of an exit, on a monotonic clock */
  next(nowMs: number): number {
    if (nowMs - this.#lastMs > FORGET_AFTER_MS) this.#count = 0;
    this.#lastMs = nowMs;
    this.#count += 1;
    return Math.min(FIRST_DELAY_MS * 2 ** (this.#count - 1), MAX_DELAY_MS);
  }
}
