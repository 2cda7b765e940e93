/** Streams that are read to their end for callers who left, at the same time; further ones are cancelled at once. */
const MAX_DRAINS = 256;
/** Of these, for one account. Its further responses are estimated; those of other accounts are still read on. */
const MAX_ACCOUNT_DRAINS = 64;

export interface DrainLimits {
  /** How long a provider is read after its caller left, in milliseconds; 0: not at all. */
  limitMs: number;
  maxConcurrent?: number;
  maxPerAccount?: number;
}

/** An answer that is read on without its caller. */
export interface Draining {
  /** Ends it now, and settles it by estimate. */
  stop(): void;
}

/**
 * The answers that are read on for their usage after their callers left: bounded in time and in number, in all and by account,
 * so that callers who leave cannot tie up more than that.
 */
export class Drains {
  readonly #limitMs: number;
  readonly #maxConcurrent: number;
  readonly #maxPerAccount: number;
  readonly #running = new Map<Draining, { accountId: string; timer: ReturnType<typeof setTimeout> }>();
  /** Absent: none. */
  readonly #byAccount = new Map<string, number>();
  #isClosed = false;

  constructor({ limitMs, maxConcurrent = MAX_DRAINS, maxPerAccount = MAX_ACCOUNT_DRAINS }: DrainLimits) {
    this.#limitMs = limitMs;
    this.#maxConcurrent = maxConcurrent;
    this.#maxPerAccount = maxPerAccount;
  }

  get size(): number {
    return this.#running.size;
  }

  /** @returns false if the response must be stopped immediately */
  start(draining: Draining, accountId: string): boolean {
    if (this.#isClosed || this.#limitMs === 0 || this.#running.size >= this.#maxConcurrent) return false;
    const mine = this.#byAccount.get(accountId) ?? 0;
    if (mine >= this.#maxPerAccount) return false;
    this.#byAccount.set(accountId, mine + 1);
    this.#running.set(draining, { accountId, timer: setTimeout(() => draining.stop(), this.#limitMs) });
    return true;
  }

  end(draining: Draining): void {
    const running = this.#running.get(draining);
    if (running === undefined) return;
    clearTimeout(running.timer);
    this.#running.delete(draining);
    const left = (this.#byAccount.get(running.accountId) ?? 1) - 1;
    if (left === 0) this.#byAccount.delete(running.accountId);
    else this.#byAccount.set(running.accountId, left);
  }

  /** Stops all of them, and lets none begin: the process is shutting down. */
  close(): void {
    this.#isClosed = true;
    for (const draining of this.#running.keys()) draining.stop();
  }
}
