/** Maximum number of concurrent drains after disconnects; further ones are cancelled immediately. */
const MAX_DRAINS = 256;
/** Maximum for one account. Its further responses are estimated; other accounts are not affected. */
const MAX_ACCOUNT_DRAINS = 64;

export interface DrainLimits {
  /** How long a provider is read after its caller disconnected, in milliseconds; 0: not at all. */
  limitMs: number;
  maxConcurrent?: number;
  maxPerAccount?: number;
}

/** A response that is read on without its caller. */
export interface Draining {
  /** Ends the drain now, and settles it by estimate. */
  stop(): void;
}

/**
 * Responses that are read for their usage after the caller disconnected. Time, total number and number per account are
 * limited, so that disconnecting callers cannot tie up more than that.
 */
export class Drains {
  readonly #limitMs: number;
  readonly #maxConcurrent: number;
  readonly #maxPerAccount: number;
  readonly #running = new Map<Draining, { accountId: string; timer: ReturnType<typeof setTimeout> }>();
  /** A missing entry means none. */
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

  /** Stops all drains and rejects new ones: the process is shutting down. */
  close(): void {
    this.#isClosed = true;
    for (const draining of this.#running.keys()) draining.stop();
  }
}
