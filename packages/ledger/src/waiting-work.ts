import type { RequestRecord } from '@tollgate/core/ledger';
import type { PendingHold } from './pending-hold.ts';

const MAX_BATCH = 1_000;
/** From the first waiting settlement without a hold to its write: nobody waits for it. */
const GATHER_MS = 100;
/**
 * The same for settlements that give a hold back, and for holds of requests that go ahead until somebody waits for them:
 * what comes meanwhile goes along.
 */
const GATHER_HELD_MS = 10;
/** So many of them are worth a transaction at once. */
const FULL_BATCH = 64;

/** What waits for its transaction, in the order in which it came, and when that is due. */
export class WaitingWork {
  #holds: PendingHold[] = [];
  #settlements: RequestRecord[] = [];
  /** Of settlements: those that give back a hold. */
  #returning = 0;
  /** Since when a hold waits, or a settlement that gives one back; null: none does. */
  #heldSinceMs: number | null = null;
  /** True: a hold waits that nothing goes on without. */
  #isHurried = false;

  get holds(): number {
    return this.#holds.length;
  }

  get settlements(): number {
    return this.#settlements.length;
  }

  get isEmpty(): boolean {
    return this.#holds.length + this.#settlements.length === 0;
  }

  /** True while somebody waits for a hold, or for the money of one. */
  get isAwaited(): boolean {
    return this.#holds.length > 0 || this.#returning > 0;
  }

  addHold(hold: PendingHold): void {
    this.#holds.push(hold);
    this.#heldSinceMs ??= performance.now();
  }

  addSettlement(record: RequestRecord): void {
    this.#settlements.push(record);
    if (!record.isHeld) return;
    this.#returning += 1;
    this.#heldSinceMs ??= performance.now();
  }

  hurry(): void {
    this.#isHurried = true;
  }

  /** How long what waits can wait for more; null: nothing waits. */
  delayMs(): number | null {
    const held = this.#holds.length + this.#returning;
    if (this.#isHurried || held >= FULL_BATCH || this.#settlements.length >= MAX_BATCH) return 0;
    if (held > 0) return Math.max(0, (this.#heldSinceMs ?? 0) + GATHER_HELD_MS - performance.now());
    return this.#settlements.length > 0 ? GATHER_MS : null;
  }

  /** The next batch; holds that were cancelled meanwhile are in none. */
  takeBatch(): { settlements: RequestRecord[]; holds: PendingHold[] } {
    const settlements = this.#settlements.splice(0, MAX_BATCH);
    this.#returning = this.#settlements.reduce((sum, { isHeld }) => sum + (isHeld ? 1 : 0), 0);
    this.#isHurried = this.#holds.length > MAX_BATCH;
    const holds = this.#holds.splice(0, MAX_BATCH).filter(({ state }) => state === 'waiting');
    this.#heldSinceMs = this.isAwaited ? performance.now() : null;
    return { settlements, holds };
  }

  takeAll(): { settlements: RequestRecord[]; holds: PendingHold[] } {
    const all = { settlements: this.#settlements, holds: this.#holds };
    this.#settlements = [];
    this.#holds = [];
    this.#returning = 0;
    this.#heldSinceMs = null;
    this.#isHurried = false;
    return all;
  }
}
