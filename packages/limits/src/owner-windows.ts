import type { WindowLimits } from './limit-store.ts';
import { OwnerWindow } from './owner-window.ts';

/** A known owner pays for the sweep only so often. */
const SWEEP_EVERY = 8;

/**
 * The windows of many owners. Each one that is new has two others looked at, and forgotten where they are empty: so as many
 * are remembered as were used in the last minutes, without a sweep that anybody would have to wait for.
 */
export class OwnerWindows {
  readonly #maxOwners: number;
  readonly #windows = new Map<string, OwnerWindow>();
  #callsUntilSweep = SWEEP_EVERY;
  #sweep = this.#windows.entries();

  constructor(maxOwners: number) {
    this.#maxOwners = maxOwners;
  }

  get size(): number {
    return this.#windows.size;
  }

  /** An owner's window as it is now, for whoever only looks: null where there is none, and none is made or forgotten. */
  find(id: string, limits: WindowLimits, nowMs: number): OwnerWindow | null {
    if (limits.rpm === null && limits.tpm === null) return null;
    const window = this.#windows.get(id) ?? null;
    window?.advance(nowMs, limits.tpm);
    return window;
  }

  /** An owner's window as it is now; null where the owner has no limits. */
  windowOf(id: string, limits: WindowLimits, nowMs: number): OwnerWindow | null {
    if (limits.rpm === null && limits.tpm === null) return null;
    let window = this.#windows.get(id);
    if (window === undefined) {
      if (this.#windows.size >= this.#maxOwners) this.#forgetFirst();
      window = new OwnerWindow();
      this.#windows.set(id, window);
      this.#sweepOne(id, nowMs);
      this.#sweepOne(id, nowMs);
      return window;
    }
    window.advance(nowMs, limits.tpm);
    this.#callsUntilSweep -= 1;
    if (this.#callsUntilSweep <= 0) {
      this.#callsUntilSweep = SWEEP_EVERY;
      this.#sweepOne(id, nowMs);
    }
    return window;
  }

  /** @param askedFor must stay: it is about to be used */
  #sweepOne(askedFor: string, nowMs: number): void {
    const next = this.#sweep.next();
    if (next.done === true) {
      this.#sweep = this.#windows.entries();
      return;
    }
    const [id, window] = next.value;
    if (id === askedFor) return;
    window.shrink();
    if (window.isUnusedAt(nowMs)) this.#windows.delete(id);
  }

  #forgetFirst(): void {
    const first = this.#windows.keys().next();
    if (first.done !== true) this.#windows.delete(first.value);
  }
}
