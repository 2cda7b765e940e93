import type { GatewayError } from '@tollgate/core/errors';

/** A completion under way. */
export interface RunningCompletion {
  /** SHA-256 of its key, in hex. */
  readonly keyHash: string;
  /** Ends it now: a stream with the error as its last event, whatever has not begun with the error itself. */
  cut(error: GatewayError): void;
}

/** Every completion under way, so that a revocation and a shutdown can reach them. */
export class InFlight {
  readonly #running = new Set<RunningCompletion>();
  #onEmpty: (() => void) | null = null;

  get size(): number {
    return this.#running.size;
  }

  add(run: RunningCompletion): void {
    this.#running.add(run);
  }

  remove(run: RunningCompletion): void {
    this.#running.delete(run);
    if (this.#running.size === 0) this.#onEmpty?.();
  }

  hasKey(keyHash: string): boolean {
    for (const run of this.#running) if (run.keyHash === keyHash) return true;
    return false;
  }

  keyHashes(): Set<string> {
    return new Set(Array.from(this.#running, (run) => run.keyHash));
  }

  cutKey(keyHash: string, error: GatewayError): void {
    for (const run of this.#running) if (run.keyHash === keyHash) run.cut(error);
  }

  cutAll(error: GatewayError): void {
    for (const run of this.#running) run.cut(error);
  }

  /** @returns true once nothing is under way, false where `limitMs` passed first */
  waitUntilEmpty(limitMs: number): Promise<boolean> {
    if (this.#running.size === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), limitMs);
      this.#onEmpty = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
