import type { GatewayError } from '@tollgate/core/errors/errors';

/** A completion under way. */
export interface RunningCompletion {
  /** SHA-256 of its key, in hex. */
  readonly keyHash: string;
  /** Its place among those under way; kept by `InFlight`. */
  slot: number;
  /** Ends it now: a stream with the error as its last event, whatever has not begun with the error itself. */
  cut(error: GatewayError): void;
  /** Called every few seconds. */
  tick(): void;
  /** Called several times a second: keeps its progress if the last time was long enough ago. */
  checkpoint(nowMs: number): void;
}

/**
 * Every completion under way, so that a revocation and a shutdown can reach them. An array and not a Set: each table that
 * a Set outgrows links to the next one, so one that has grown old keeps all later ones and what they held alive until
 * the next full collection, which cost 15 % of the time under load.
 */
export class InFlight {
  readonly #running: RunningCompletion[] = [];
  readonly #onFault: (error: unknown) => void;
  #onEmpty: (() => void) | null = null;

  /** @param onFault called with what one completion throws; the others are reached anyway */
  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  get size(): number {
    return this.#running.length;
  }

  add(run: RunningCompletion): void {
    run.slot = this.#running.push(run) - 1;
  }

  remove(run: RunningCompletion): void {
    // The last one takes its place.
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

  cutAll(error: GatewayError): void {
    // Whoever is cut leaves: from the end, so that nobody takes the place of one not yet seen.
    for (const run of this.#running.toReversed()) this.#guard(() => run.cut(error));
  }

  tick(): void {
    // A run that a tick ends gives its place to the last one, which had its tick.
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
      this.#onFault(error);
    }
  }

  /** @returns true once nothing is under way, false where `limitMs` passed first */
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
