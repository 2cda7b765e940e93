/** Length of every rate-limit window. */
const WINDOW_MS = 60_000;

/**
 * The amounts of the last 60 seconds, exactly: one entry for each moment, dropped when it leaves the window.
 * Requests of the same millisecond share an entry, so memory is bounded by 60,000 entries.
 */
export class SlidingWindow {
  #times: number[] = [];
  #amounts: number[] = [];
  #head = 0;
  #sum = 0;

  /** The sum of what was added within the 60 seconds before `nowMs`. */
  sumAt(nowMs: number): number {
    const horizon = nowMs - WINDOW_MS;
    for (let at = this.#times[this.#head]; at !== undefined && at <= horizon; at = this.#times[this.#head]) {
      this.#sum -= this.#amounts[this.#head] ?? 0;
      this.#head += 1;
    }
    if (this.#head > 1024 && this.#head * 2 > this.#times.length) this.#compact();
    return this.#sum;
  }

  /** @param nowMs never before an earlier call's */
  add(amount: number, nowMs: number): void {
    if (amount === 0) return;
    const last = this.#times.length - 1;
    if (last >= this.#head && this.#times[last] === nowMs) {
      this.#amounts[last] = (this.#amounts[last] ?? 0) + amount;
    } else {
      this.#times.push(nowMs);
      this.#amounts.push(amount);
    }
    this.#sum += amount;
  }

  /** How long from `nowMs` until the sum is below `limit`, in milliseconds; 0 where it is already. */
  msUntilBelow(limit: number, nowMs: number): number {
    let sum = this.sumAt(nowMs);
    for (let index = this.#head; sum >= limit && index < this.#times.length; index++) {
      sum -= this.#amounts[index] ?? 0;
      if (sum < limit) return Math.max(1, (this.#times[index] ?? nowMs) + WINDOW_MS - nowMs);
    }
    return 0;
  }

  /** How long until nothing of what was added counts any more, in milliseconds. */
  msUntilEmpty(nowMs: number): number {
    const last = this.#times.at(-1);
    return last === undefined ? 0 : Math.max(0, last + WINDOW_MS - nowMs);
  }

  get isEmpty(): boolean {
    return this.#head >= this.#times.length;
  }

  #compact(): void {
    this.#times = this.#times.slice(this.#head);
    this.#amounts = this.#amounts.slice(this.#head);
    this.#head = 0;
  }
}
