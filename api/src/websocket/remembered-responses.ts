import type { Buffer } from 'node:buffer';
import type { BodyBudget, BodyReservation } from '../request-body/body-budget.ts';

/** The share of the memory for request bodies that remembered responses may take, in total and of each account. */
const SHARE = 1 / 4;

/** A response that its connection may continue: the items of its conversation, its own output at the end. */
export interface Remembered {
  responseId: string;
  /** The inside of JSON lists, none of them empty. */
  items: readonly Buffer[];
}

interface Entry {
  accountId: string;
  bytes: number;
  reservation: BodyReservation;
  forget: () => void;
}

/**
 * The memory of the responses that connections may continue. It counts as memory for request bodies. If the share of an
 * account or the process is used up, the oldest responses are forgotten: their clients send the whole conversation again.
 */
export class RememberedResponses {
  readonly #budget: BodyBudget;
  /** In the order of their age. */
  readonly #entries = new Set<Entry>();
  /** A missing entry means none. */
  readonly #byAccount = new Map<string, number>();
  #bytes = 0;

  constructor(budget: BodyBudget) {
    this.#budget = budget;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Reserves memory.
   * @param forget called when the response must be forgotten
   * @returns a function that releases the memory; null if the response cannot be remembered
   */
  hold(accountId: string, bytes: number, forget: () => void): (() => void) | null {
    const mostOfAccount = this.#budget.accountBytes * SHARE;
    const most = this.#budget.totalBytes * SHARE;
    if (bytes > Math.min(mostOfAccount, most)) return null;
    while ((this.#byAccount.get(accountId) ?? 0) + bytes > mostOfAccount) this.#forgetOldest(accountId);
    while (this.#bytes + bytes > most) this.#forgetOldest(null);
    const reservation = this.#budget.open(accountId);
    if (reservation.grow(bytes) !== null) {
      reservation.release();
      return null;
    }
    const entry = { accountId, bytes, reservation, forget };
    this.#entries.add(entry);
    this.#count(entry, bytes);
    return () => this.#release(entry);
  }

  /** @param accountId null: of any account */
  #forgetOldest(accountId: string | null): void {
    for (const entry of this.#entries) {
      if (accountId !== null && entry.accountId !== accountId) continue;
      this.#release(entry);
      entry.forget();
      return;
    }
  }

  #release(entry: Entry): void {
    if (!this.#entries.delete(entry)) return;
    entry.reservation.release();
    this.#count(entry, -entry.bytes);
  }

  #count({ accountId }: Entry, bytes: number): void {
    this.#bytes += bytes;
    const ofAccount = (this.#byAccount.get(accountId) ?? 0) + bytes;
    if (ofAccount === 0) this.#byAccount.delete(accountId);
    else this.#byAccount.set(accountId, ofAccount);
  }
}
