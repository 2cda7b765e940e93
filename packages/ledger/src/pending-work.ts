import type { RequestRecord } from '@tollgate/core/money/ledger';
import type { PendingHold } from './pending-hold.ts';

const MAX_BATCH = 1_000;
/**
 * Settlements without a hold per batch for one second after a hold, because the next hold waits for the batch: the minimum,
 * the share of the waiting ones, and the maximum. The minimum protects holds from a burst; more are stored if they pile up.
 */
const MIN_BATCH_BESIDE_HOLDS = 20;
const WAITING_PER_BATCH_BESIDE_HOLDS = 1 / 20;
const MAX_BATCH_BESIDE_HOLDS = 100;
const A_MOMENT_MS = 1_000;
/** Maximum delay of settlements without a hold: no request waits for them. */
const GATHER_MS = 100;
/**
 * Maximum delay of settlements that release a hold, and of holds whose request continues meanwhile:
 * later records join the same batch.
 */
const GATHER_HELD_MS = 10;
/** Holds and releasing settlements that start a transaction immediately. */
const FULL_BATCH = 64;

/** Queue of work for the next transaction, and when it is due. */
export class PendingWork {
  #holds: PendingHold[] = [];
  /** Settlements that release a hold. */
  #returning: RequestRecord[] = [];
  /** Settlements without a hold: no request waits for them. */
  #free: RequestRecord[] = [];
  /** When the oldest hold or releasing settlement was queued; null: none. */
  #heldSinceMs: number | null = null;
  /** When a request last waited. */
  #awaitedAtMs = -Infinity;
  /** True: a request is blocked on a queued hold. */
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

  /** Maximum number of settlements without a hold in the next transaction. */
  get maxFreePerBatch(): number {
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

  /** When the next transaction is due, by `performance.now()`; -Infinity: immediately; null: nothing is queued. */
  dueAtMs(): number | null {
    const held = this.#held;
    if (this.#isHurried || held >= FULL_BATCH || this.#free.length >= MAX_BATCH) return -Infinity;
    if (held > 0) return (this.#heldSinceMs ?? 0) + GATHER_HELD_MS;
    return this.#free.length > 0 ? performance.now() + GATHER_MS : null;
  }

  /** Removes and returns the next batch, without cancelled holds. */
  takeBatch(): { settlements: RequestRecord[]; holds: PendingHold[] } {
    const free = this.#free.splice(0, this.#freePerBatch);
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

  get #freePerBatch(): number {
    const max = this.maxFreePerBatch;
    if (max === MAX_BATCH) return max;
    const share = Math.ceil(this.#free.length * WAITING_PER_BATCH_BESIDE_HOLDS);
    return Math.min(max, Math.max(MIN_BATCH_BESIDE_HOLDS, share));
  }

  get #held(): number {
    return this.#holds.length + this.#returning.length;
  }

  #await(): void {
    this.#awaitedAtMs = performance.now();
    this.#heldSinceMs ??= this.#awaitedAtMs;
  }
}
