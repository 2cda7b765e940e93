const WINDOW_MS = 1_000;

/** Bounds work that takes the event loop's time, for all requests of a second together. */
export class BudgetPerSecond {
  readonly #most: number;
  readonly #nowMs: () => number;
  #sinceMs = Number.NEGATIVE_INFINITY;
  #spent = 0;

  constructor(most: number, nowMs: () => number = Date.now) {
    this.#most = most;
    this.#nowMs = nowMs;
  }

  /** @returns false if the amount exceeds what is left of this second */
  take(amount: number): boolean {
    const nowMs = this.#nowMs();
    if (Math.abs(nowMs - this.#sinceMs) >= WINDOW_MS) {
      this.#sinceMs = nowMs;
      this.#spent = 0;
    }
    if (this.#spent + amount > this.#most) return false;
    this.#spent += amount;
    return true;
  }
}
