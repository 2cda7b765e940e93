import type { RequestRecord } from '@tollgate/core/money/ledger';
import type { PendingHold } from './pending-hold.ts';

const MAX_BATCH = 1_000;
/** So many that nobody waits for, where somebody waited a moment ago: the next hold waits for the batch under way. */
const MAX_BATCH_BESIDE_HOLDS = 100;
const A_MOMENT_MS = 1_000;
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
  /** Settlements that give back a hold. */
  #returning: RequestRecord[] = [];
  /** Those without one: nobody waits for them. */
  #free: RequestRecord[] = [];
  /** Since when a hold waits, or a settlement that gives one back; null: none does. */
  #heldSinceMs: number | null = null;
  /** When somebody waited last. */
  #awaitedAtMs = -Infinity;
  /** True: a hold waits that nothing goes on without. */
  #isHurried = false;

  get holds(): number {
    return this.#holds.length;
  }

  get settlements(): number {
    return this.#returning.length + this.#free.length;
  }

  get isEmpty(): boolean {
    return this.#held + this.#free.length === 0;
  }

  /** How many settlements that nobody waits for may go in one transaction now. */
  get freePerBatch(): number {
    return performance.now() - this.#awaitedAtMs < A_MOMENT_MS ? MAX_BATCH_BESIDE_HOLDS : MAX_BATCH;
  }

  addHold(hold: PendingHold): void {
    this.#holds.push(hold);
    this.#await();
  }

  addSettlement(record: RequestRecord): void {
    if (record.isHeld) {
      this.#returning.push(record);
      this.#await();
    } else this.#free.push(record);
  }

  hurry(): void {
    this.#isHurried = true;
  }

  /** How long what waits can wait for more; null: nothing waits. */
  delayMs(): number | null {
    const held = this.#held;
    if (this.#isHurried || held >= FULL_BATCH || this.#free.length >= MAX_BATCH) return 0;
    if (held > 0) return Math.max(0, (this.#heldSinceMs ?? 0) + GATHER_HELD_MS - performance.now());
    return this.#free.length > 0 ? GATHER_MS : null;
  }

  /** The next batch; holds that were cancelled meanwhile are in none. */
  takeBatch(): { settlements: RequestRecord[]; holds: PendingHold[] } {
    const free = this.#free.splice(0, this.freePerBatch);
    const returning = this.#returning.splice(0, MAX_BATCH);
    this.#isHurried = this.#holds.length > MAX_BATCH;
    const holds = this.#holds.splice(0, MAX_BATCH).filter(({ state }) => state === 'waiting');
    this.#heldSinceMs = this.#held > 0 ? performance.now() : null;
    return { settlements: [...returning, ...free], holds };
  }

  takeAll(): { settlements: RequestRecord[]; holds: PendingHold[] } {
    const all = { settlements: [...this.#returning, ...this.#free], holds: this.#holds };
    this.#returning = [];
    this.#free = [];
    this.#holds = [];
    this.#heldSinceMs = null;
    this.#isHurried = false;
    return all;
  }

  get #held(): number {
    return this.#holds.length + this.#returning.length;
  }

  #await(): void {
    this.#awaitedAtMs = performance.now();
    this.#heldSinceMs ??= this.#awaitedAtMs;
  }
}
