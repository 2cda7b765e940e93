/** Streams that are read to their end for callers who left, at the same time; further ones are cancelled at once. */
const MAX_DRAINS = 256;

export interface DrainLimits {
  /** How long a provider is read after its caller left, in milliseconds; 0: not at all. */
  limitMs: number;
  maxConcurrent?: number;
}

/** An answer that is read on without its caller. */
export interface Draining {
  /** Ends it now, and settles it by estimate. */
  stop(): void;
}

/**
 * The answers that are read on for their usage after their callers left: bounded in time and in number, so that callers who
 * leave cannot tie up more than that.
 */
export class Drains {
  readonly #limitMs: number;
  readonly #maxConcurrent: number;
  readonly #running = new Map<Draining, ReturnType<typeof setTimeout>>();
  #isClosed = false;

  constructor({ limitMs, maxConcurrent = MAX_DRAINS }: DrainLimits) {
    this.#limitMs = limitMs;
    this.#maxConcurrent = maxConcurrent;
  }

  get size(): number {
    return this.#running.size;
  }

  /** @returns false where the answer must be stopped at once */
  start(draining: Draining): boolean {
    if (this.#isClosed || this.#limitMs === 0 || this.#running.size >= this.#maxConcurrent) return false;
    this.#running.set(
      draining,
      setTimeout(() => draining.stop(), this.#limitMs),
    );
    return true;
  }

  end(draining: Draining): void {
    clearTimeout(this.#running.get(draining));
    this.#running.delete(draining);
  }

  /** Stops all of them, and lets none begin: the process is shutting down. */
  close(): void {
    this.#isClosed = true;
    for (const draining of this.#running.keys()) draining.stop();
  }
}
