/** The wait before an attempt. */
export class RetryTimer {
  #timer: ReturnType<typeof setTimeout> | null = null;

  get isWaiting(): boolean {
    return this.#timer !== null;
  }

  /** @param delayMs 0: `run` is called immediately */
  start(delayMs: number, run: () => void): void {
    if (delayMs === 0) return run();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      run();
    }, delayMs);
  }

  clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
