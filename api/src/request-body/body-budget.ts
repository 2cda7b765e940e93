import type { BodyMemory } from './body-memory.ts';

/** The limit that is exhausted. */
export type BodyShortage = 'account' | 'process';

/** Idle accounts are removed when more than this are known. */
const MAX_IDLE_ACCOUNTS = 10_000;
/** One account may hold this share of the budget … */
const ACCOUNT_SHARE = 1 / 4;
/** … and at least one body of the largest size, including its growth. */
const MIN_ACCOUNT_BYTES = 48 * 1024 * 1024;
/** The rest of the budget is kept for accounts that hold little. */
const SHARED_SHARE = 3 / 4;
const SMALL_ACCOUNT_SHARE = 1 / 64;

interface AccountBytes {
  bytes: number;
  /** Reservations not yet released: while there are any, the entry must stay. */
  open: number;
  /** Size of the body that did not fit last; 0: none, or there has been room for it since. */
  neededBytes: number;
}

/**
 * The process memory for request bodies, or for responses, in bytes. An account can hold a quarter; the last quarter is for
 * accounts that hold little, so that a few accounts with large bodies cannot block the small requests of others.
 */
export class BodyBudget {
  readonly totalBytes: number;
  readonly accountBytes: number;
  readonly #sharedBytes: number;
  readonly #smallAccountBytes: number;
  readonly #accounts = new Map<string, AccountBytes>();
  #usedBytes = 0;

  /** @param minAccountBytes minimum of each account, even if its share is less */
  constructor(totalBytes: number, { minAccountBytes = MIN_ACCOUNT_BYTES } = {}) {
    this.totalBytes = totalBytes;
    this.accountBytes = Math.max(totalBytes * ACCOUNT_SHARE, Math.min(totalBytes, minAccountBytes));
    this.#sharedBytes = totalBytes * SHARED_SHARE;
    this.#smallAccountBytes = totalBytes * SMALL_ACCOUNT_SHARE;
  }

  /** The most that one account can reserve, in bytes. */
  get maxReservedBytes(): number {
    return Math.min(this.accountBytes, this.#sharedBytes);
  }

  /** Currently reserved bytes. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Number of accounts with an entry. */
  get knownAccounts(): number {
    return this.#accounts.size;
  }

  /** Opens an empty reservation. It must be released. */
  open(accountId: string): BodyReservation {
    let account = this.#accounts.get(accountId);
    if (account === undefined) {
      if (this.#accounts.size >= MAX_IDLE_ACCOUNTS) this.#forgetIdle();
      account = { bytes: 0, open: 0, neededBytes: 0 };
      this.#accounts.set(accountId, account);
    }
    account.open += 1;
    return new BodyReservation(this, account);
  }

  /**
   * True if an account can reserve the bytes now, and its own bodies leave room for one as large as its last one that did not
   * fit. Bodies of other accounts do not count for that: they must not keep it waiting.
   */
  hasRoom(accountId: string, bytes: number): boolean {
    const account = this.#accounts.get(accountId) ?? { bytes: 0, neededBytes: 0 };
    if (this.#getShortage(account, bytes) !== null) return false;
    if (account.bytes > 0 && account.bytes + account.neededBytes > this.accountBytes) return false;
    account.neededBytes = 0;
    return true;
  }

  /** Called by reservations. @returns the exhausted limit, or null if the bytes are reserved */
  reserve(account: AccountBytes, bytes: number): BodyShortage | null {
    const shortage = this.#getShortage(account, bytes);
    if (shortage !== null) return shortage;
    account.bytes += bytes;
    this.#usedBytes += bytes;
    return null;
  }

  #getShortage(account: Pick<AccountBytes, 'bytes'>, bytes: number): BodyShortage | null {
    const ofAccount = account.bytes + bytes;
    if (ofAccount > this.accountBytes) return 'account';
    const most = ofAccount <= this.#smallAccountBytes ? this.totalBytes : this.#sharedBytes;
    return this.#usedBytes + bytes > most ? 'process' : null;
  }

  /** Called by reservations. */
  free(account: AccountBytes, bytes: number): void {
    account.bytes -= bytes;
    this.#usedBytes -= bytes;
  }

  /** Entries stay between requests: adding and removing one per request would cost more than the counting itself. */
  #forgetIdle(): void {
    for (const [id, account] of this.#accounts) if (account.open === 0) this.#accounts.delete(id);
  }
}

/** The memory of one request body, until the request is settled, or of one response, until its caller has it. */
export class BodyReservation {
  readonly #budget: BodyBudget;
  readonly #account: AccountBytes;
  #bytes = 0;
  #isReleased = false;
  /** True: the bytes are kept after the request, such as those of logged payloads. */
  isShared = false;
  /** Frees the bytes with the reservation; null: they are left to the garbage collection. */
  memory: BodyMemory | null = null;

  constructor(budget: BodyBudget, account: AccountBytes) {
    this.#budget = budget;
    this.#account = account;
  }

  /** Reserves more. @returns the exhausted limit, or null if the bytes are reserved */
  grow(bytes: number): BodyShortage | null {
    if (this.#isReleased) return 'process';
    const shortage = this.#budget.reserve(this.#account, bytes);
    if (shortage === null) this.#bytes += bytes;
    else this.#account.neededBytes = this.#bytes + bytes;
    return shortage;
  }

  /** Releases a part. */
  shrink(bytes: number): void {
    if (this.#isReleased) return;
    this.#bytes -= bytes;
    this.#budget.free(this.#account, bytes);
  }

  /** Releases everything. Only the first call counts. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#account.open -= 1;
    this.#budget.free(this.#account, this.#bytes);
    this.memory?.settle();
  }
}
