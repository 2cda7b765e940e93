const WINDOW_MS = 1_000;

/** Bounds how much text is searched in a second, which takes the event loop some milliseconds for each MiB. */
export class SearchBudget {
  readonly #maxBytes: number;
  readonly #nowMs: () => number;
  #sinceMs = Number.NEGATIVE_INFINITY;
  #spentBytes = 0;

  constructor(maxBytes: number, nowMs: () => number = Date.now) {
    this.#maxBytes = maxBytes;
    this.#nowMs = nowMs;
  }

  /** @returns false if the text exceeds what is left of this second */
  take(bytes: number): boolean {
    const nowMs = this.#nowMs();
    if (Math.abs(nowMs - this.#sinceMs) >= WINDOW_MS) {
      this.#sinceMs = nowMs;
      this.#spentBytes = 0;
    }
    if (this.#spentBytes + bytes > this.#maxBytes) return false;
    this.#spentBytes += bytes;
    return true;
  }
}
