/** A request or a piece of debt in the books. `tokens` shrinks when less was used than reserved. */
export interface AuditEntry {
  readonly ms: number;
  readonly requests: number;
  tokens: number;
  hasLeft: boolean;
}

/**
 * One owner's books, kept by the tests beside the store and in the plainest way. They are told what was admitted and what it
 * used, never refuse, and note the most that any 60 seconds have held.
 */
export class LimitAudit {
  readonly #rpm: number;
  readonly #tpm: number;
  #entries: AuditEntry[] = [];
  #first = 0;
  #requests = 0;
  #tokens = 0;
  #debt = 0;
  /** Of any 60 seconds so far, as shares of the limits: 1 is the limit. */
  most = { requests: 0, tokens: 0 };
  admittedInDebt = 0;

  constructor(limits: { rpm: number; tpm: number }) {
    this.#rpm = limits.rpm;
    this.#tpm = limits.tpm;
  }

  hasRoom(ms: number, tokens: number): boolean {
    this.#turnTo(ms);
    return this.#requests < this.#rpm && this.#debt === 0 && this.#tokens + tokens <= this.#tpm;
  }

  admitted(ms: number, tokens: number): AuditEntry {
    this.#turnTo(ms);
    if (this.#debt > 0) this.admittedInDebt += 1;
    return this.#enter({ ms, requests: 1, tokens, hasLeft: false });
  }

  /** A request has ended. What it used beyond its reservation goes where there is room first. */
  ended(ms: number, entry: AuditEntry, reserved: number, used: number): void {
    this.#turnTo(ms);
    if (used > reserved) this.#debt += used - reserved;
    else {
      entry.tokens -= reserved - used;
      if (!entry.hasLeft) this.#tokens -= reserved - used;
    }
    this.#pay(ms);
  }

  #turnTo(ms: number): void {
    for (
      let first = this.#entries[this.#first];
      first !== undefined && first.ms + 60_000 <= ms;
      first = this.#entries[this.#first]
    ) {
      this.#first += 1;
      first.hasLeft = true;
      this.#requests -= first.requests;
      this.#tokens -= first.tokens;
      this.#pay(first.ms + 60_000);
    }
    if (this.#first > 10_000) {
      this.#entries = this.#entries.slice(this.#first);
      this.#first = 0;
    }
  }

  #pay(ms: number): void {
    const tokens = Math.min(this.#debt, this.#tpm - this.#tokens);
    if (tokens <= 0) return;
    this.#debt -= tokens;
    this.#enter({ ms, requests: 0, tokens, hasLeft: false });
  }

  #enter(entry: AuditEntry): AuditEntry {
    this.#entries.push(entry);
    this.#requests += entry.requests;
    this.#tokens += entry.tokens;
    this.most.requests = Math.max(this.most.requests, this.#requests / this.#rpm);
    this.most.tokens = Math.max(this.most.tokens, this.#tokens / this.#tpm);
    return entry;
  }
}
