import type { WindowLimits } from './limit-store.ts';
import { OwnerWindow } from './owner-window.ts';

/** Minimum interval of sweeps for a known owner. */
const SWEEP_EVERY = 8;

/**
 * Windows of many owners. Each new owner causes a check of two others, which are evicted if empty. So memory contains
 * about the owners of the last minutes, without long sweeps.
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

  /** Reads an owner's current window without adding or evicting any; null: none. */
  find(id: string, limits: WindowLimits, nowMs: number): OwnerWindow | null {
    if (limits.rpm === null && limits.tpm === null) return null;
    const window = this.#windows.get(id) ?? null;
    window?.advance(nowMs, limits.tpm);
    return window;
  }

  /** Returns an owner's current window; null: no limits. */
  getWindow(id: string, limits: WindowLimits, nowMs: number): OwnerWindow | null {
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

  /** @param askedFor excluded from eviction, because it is about to be used */
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
