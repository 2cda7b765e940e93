/** Whose share is used up. */
export type BodyShortage = 'account' | 'process';

/** Accounts that hold nothing are forgotten when more than this are known. */
const MAX_IDLE_ACCOUNTS = 10_000;
/** One account may hold this share of the budget … */
const ACCOUNT_SHARE = 1 / 4;
/** … and at least one body of the largest size, with what growing it takes. */
const MIN_ACCOUNT_BYTES = 48 * 1024 * 1024;
/** The rest of the budget is kept for accounts that hold little. */
const SHARED_SHARE = 3 / 4;
const SMALL_ACCOUNT_SHARE = 1 / 64;

interface AccountBytes {
  bytes: number;
  /** Reservations that were not released: while there are any, the entry must stay. */
  open: number;
}

/**
 * The memory of the process for request bodies, or for responses, in bytes. An account can hold a quarter of it, and the last quarter is for
 * accounts that hold little: a few accounts with large bodies cannot keep out the small requests of all others.
 */
export class BodyBudget {
  readonly totalBytes: number;
  readonly accountBytes: number;
  readonly #sharedBytes: number;
  readonly #smallAccountBytes: number;
  readonly #accounts = new Map<string, AccountBytes>();
  #usedBytes = 0;

  /** @param minAccountBytes of each account, also if its share is less */
  constructor(totalBytes: number, { minAccountBytes = MIN_ACCOUNT_BYTES } = {}) {
    this.totalBytes = totalBytes;
    this.accountBytes = Math.max(totalBytes * ACCOUNT_SHARE, Math.min(totalBytes, minAccountBytes));
    this.#sharedBytes = totalBytes * SHARED_SHARE;
    this.#smallAccountBytes = totalBytes * SMALL_ACCOUNT_SHARE;
  }

  /** Bytes reserved now. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** How many accounts are remembered. */
  get knownAccounts(): number {
    return this.#accounts.size;
  }

  /** Opens an empty reservation. It must be released. */
  open(accountId: string): BodyReservation {
    let account = this.#accounts.get(accountId);
    if (account === undefined) {
      if (this.#accounts.size >= MAX_IDLE_ACCOUNTS) this.#forgetIdle();
      account = { bytes: 0, open: 0 };
      this.#accounts.set(accountId, account);
    }
    account.open += 1;
    return new BodyReservation(this, account);
  }

  /** Called by reservations. @returns what is used up, or null if the bytes are reserved now */
  reserve(account: AccountBytes, bytes: number): BodyShortage | null {
    const ofAccount = account.bytes + bytes;
    if (ofAccount > this.accountBytes) return 'account';
    const most = ofAccount <= this.#smallAccountBytes ? this.totalBytes : this.#sharedBytes;
    if (this.#usedBytes + bytes > most) return 'process';
    account.bytes = ofAccount;
    this.#usedBytes += bytes;
    return null;
  }

  /** Called by reservations. */
  free(account: AccountBytes, bytes: number): void {
    account.bytes -= bytes;
    this.#usedBytes -= bytes;
  }

  /** Entries stay between requests: adding and removing one for each request would cost more than the request's own count. */
  #forgetIdle(): void {
    for (const [id, account] of this.#accounts) if (account.open === 0) this.#accounts.delete(id);
  }
}

/** What one request holds of the budget, from before its body is read until the request is settled. */
export class BodyReservation {
  readonly #budget: BodyBudget;
  readonly #account: AccountBytes;
  #bytes = 0;
  #isReleased = false;

  constructor(budget: BodyBudget, account: AccountBytes) {
    this.#budget = budget;
    this.#account = account;
  }

  /** Reserves more. @returns what is used up, or null if the bytes are reserved now */
  grow(bytes: number): BodyShortage | null {
    if (this.#isReleased) return 'process';
    const shortage = this.#budget.reserve(this.#account, bytes);
    if (shortage === null) this.#bytes += bytes;
    return shortage;
  }

  /** Gives a part back. */
  shrink(bytes: number): void {
    if (this.#isReleased) return;
    this.#bytes -= bytes;
    this.#budget.free(this.#account, bytes);
  }

  /** Gives everything back. Only the first call counts. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#account.open -= 1;
    this.#budget.free(this.#account, this.#bytes);
  }
}
