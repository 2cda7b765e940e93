/** What one key has spent: recorded anywhere, or about to be recorded from here. In nano-dollars. */
export class KeySpend {
  /** As of the last thing heard from the database; it only grows. */
  #recorded: bigint;
  /** Of requests that are over but not yet written. */
  #pending = 0n;

  constructor(recorded: bigint) {
    this.#recorded = recorded;
  }

  get total(): bigint {
    return this.#recorded + this.#pending;
  }

  /** Takes what a read or a write of the database says. */
  note(recorded: bigint): void {
    if (recorded > this.#recorded) this.#recorded = recorded;
  }

  addPending(cost: bigint): void {
    this.#pending += cost;
  }

  removePending(cost: bigint): void {
    this.#pending -= cost;
  }
}
