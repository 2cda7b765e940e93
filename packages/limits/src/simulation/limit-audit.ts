/** A request or part of a debt. `tokens` decreases if less was used than reserved. */
export interface AuditEntry {
  readonly ms: number;
  readonly requests: number;
  tokens: number;
  hasLeft: boolean;
}

/**
 * Simple reference records of one owner for tests. They receive admissions and usage,
 * never refuse, and track the maximum of any 60 seconds.
 */
export class LimitAudit {
  readonly #rpm: number;
  readonly #tpm: number;
  #entries: AuditEntry[] = [];
  #first = 0;
  #requests = 0;
  #tokens = 0;
  #debt = 0;
  /** Maximum of any 60 seconds as a fraction of the limit. */
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

  /** Settles a request. Its overrun is counted as soon as there is room. */
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
