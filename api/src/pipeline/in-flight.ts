import type { GatewayError } from '@tollgate/core/errors/errors';

/** A completion in flight. */
export interface RunningCompletion {
  /** SHA-256 of its key, in hex. */
  readonly keyHash: string;
  /** Its index in the list; managed by `InFlight`. */
  slot: number;
  /**
   * Ends its response now, with the error as the response or as the last event of a started stream. The provider's response
   * may be read on for its usage.
   */
  cut(error: GatewayError): void;
  /** The same, and ends the provider's response too. */
  stopWith(error: GatewayError): void;
  /** Called every few seconds. */
  tick(): void;
  /** Called several times a second: stores its progress if the last time was long enough ago. */
  checkpoint(nowMs: number): void;
}

/**
 * Every completion in flight, so that revocation and shutdown can reach them. An array and not a Set: each table that a
 * Set outgrows links to the next one, so one that has grown old keeps all later ones and what they held alive until the
 * next full collection, which cost 15 % of the time under load.
 */
export class InFlight {
  readonly #running: RunningCompletion[] = [];
  readonly #onError: (error: unknown) => void;
  #onEmpty: (() => void) | null = null;

  /** @param onError called with what one completion throws; the others are still processed */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  get size(): number {
    return this.#running.length;
  }

  add(run: RunningCompletion): void {
    run.slot = this.#running.push(run) - 1;
  }

  remove(run: RunningCompletion): void {
    // The last one moves into the free index.
    const last = this.#running.pop();
    if (last !== undefined && last !== run) {
      this.#running[run.slot] = last;
      last.slot = run.slot;
    }
    if (this.#running.length === 0) this.#onEmpty?.();
  }

  hasKey(keyHash: string): boolean {
    return this.#running.some((run) => run.keyHash === keyHash);
  }

  keyHashes(): Set<string> {
    return new Set(Array.from(this.#running, (run) => run.keyHash));
  }

  cutKey(keyHash: string, error: GatewayError): void {
    for (const run of this.#running.filter((each) => each.keyHash === keyHash))
      this.#guard(() => run.cut(error));
  }

  /** Ends everything: the process is shutting down. */
  stopAll(error: GatewayError): void {
    // Stopped completions remove themselves: iterate from the end, so that none moves to an index already visited.
    for (const run of this.#running.toReversed()) this.#guard(() => run.stopWith(error));
  }

  tick(): void {
    // If a tick ends a run, the last run, already ticked, moves to its index.
    for (let at = this.#running.length - 1; at >= 0; at -= 1) this.#guard(() => this.#running[at]?.tick());
  }

  checkpoint(): void {
    const nowMs = Date.now();
    for (const run of this.#running) this.#guard(() => run.checkpoint(nowMs));
  }

  #guard(reach: () => void): void {
    try {
      reach();
    } catch (error) {
      this.#onError(error);
    }
  }

  /** @returns true once nothing is in flight, false if `limitMs` passed first */
  waitUntilEmpty(limitMs: number): Promise<boolean> {
    if (this.#running.length === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), limitMs);
      this.#onEmpty = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
