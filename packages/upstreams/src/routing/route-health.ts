import type { Clock } from '@tollgate/core/runtime/clock';
import { CircuitBreaker, type BreakerPolicy, type BreakerReport } from './circuit-breaker.ts';

/** Accounts with failures that are remembered for one route; beyond this the oldest are forgotten. */
const MAX_ACCOUNTS = 1_000;
/** Consecutive failures of at least this many accounts count as the provider's own. */
const ACCOUNTS_FOR_SUSPICION = 2;

/** One failed request at a route. */
export interface RouteFailure {
  /** The account that sent the request. */
  accountId: string;
  /** One word, such as `timeout` or `status_529`. */
  error: string;
  /** True if the provider could not be reached, so that no request can be the cause. */
  isUnreachable: boolean;
}

/** What operators see of a failing route. */
export interface RouteReport extends BreakerReport {
  /** Accounts that the route is closed for; null: every account. */
  blockedAccounts: number | null;
}

/**
 * The circuit breakers of one route: one for every account together, which only opens while the provider cannot be
 * reached, and one for each account whose requests fail. What an account sends can make a provider fail, so its
 * failures close the route only for that account. Once several accounts have failed in a row, one more failure
 * is enough to close it for an account.
 */
export class RouteHealth {
  readonly #clock: Clock;
  readonly #policy: BreakerPolicy;
  readonly #reach: CircuitBreaker;
  readonly #accounts = new Map<string, CircuitBreaker>();
  /** Since the last success of any account. */
  #failuresInARow = 0;
  readonly #failedAccounts = new Set<string>();

  constructor(clock: Clock, policy: BreakerPolicy) {
    this.#clock = clock;
    this.#policy = policy;
    this.#reach = new CircuitBreaker(clock, policy);
  }

  /** True if no failure is remembered. */
  get isClear(): boolean {
    return this.#accounts.size === 0 && this.#reach.report() === null;
  }

  /** True if requests of several accounts failed since the last success. */
  get failsForSeveral(): boolean {
    return this.#failedAccounts.size >= ACCOUNTS_FOR_SUSPICION;
  }

  /** True if the account may send a request now. If the breaker is half-open, the request is its probe. */
  tryPass(accountId: string): boolean {
    const own = this.#accounts.get(accountId);
    if (own !== undefined && !own.tryPass()) return false;
    if (this.#reach.tryPass()) return true;
    own?.release();
    return false;
  }

  /** The newest failure of what closes the route for the account; null if nothing does. */
  getLastError(accountId: string): string | null {
    const closed = [this.#accounts.get(accountId)?.report(), this.#reach.report()].find(
      (report) => report !== null && report !== undefined && report.state !== 'closed',
    );
    return closed?.lastError ?? null;
  }

  succeed(accountId: string): void {
    this.#reach.succeed();
    this.#accounts.delete(accountId);
    this.#failuresInARow = 0;
    this.#failedAccounts.clear();
  }

  /** True if the route is closed to an account, or was and waits for a probe. */
  get isResting(): boolean {
    if (this.#reach.state !== 'closed') return true;
    for (const breaker of this.#accounts.values()) if (breaker.state !== 'closed') return true;
    return false;
  }

  /**
   * A request of no account was answered. Accounts may use the route again, but one more failure of an account closes it
   * for that account: what it sends may be the cause.
   */
  recover(): void {
    this.#reach.succeed();
    for (const [accountId, breaker] of this.#accounts) {
      breaker.recover();
      if (breaker.report() === null) this.#accounts.delete(accountId);
    }
    this.#failuresInARow = 0;
    this.#failedAccounts.clear();
  }

  /** A request of no account has failed: what is open stays so for a while. */
  keepOpen(): void {
    this.#reach.keepOpen();
    for (const breaker of this.#accounts.values()) breaker.keepOpen();
  }

  fail({ accountId, error, isUnreachable }: RouteFailure): void {
    if (isUnreachable) {
      this.#accounts.get(accountId)?.release();
      this.#reach.fail(error);
      return;
    }
    // The provider responded, so it is reachable.
    this.#reach.succeed();
    this.#failuresInARow += 1;
    if (this.#failedAccounts.size < ACCOUNTS_FOR_SUSPICION) this.#failedAccounts.add(accountId);
    this.#getBreaker(accountId).fail(error, this.#isSuspect ? 1 : this.#policy.failures);
  }

  /** The attempt says nothing about the route: the caller disconnected, or the request itself was invalid. */
  release(accountId: string): void {
    this.#reach.release();
    this.#accounts.get(accountId)?.release();
  }

  /** @returns null if nothing fails */
  report(): RouteReport | null {
    const reach = this.#reach.report();
    if (reach !== null && reach.state !== 'closed') return { ...reach, blockedAccounts: null };
    const own = [...this.#accounts.values()].flatMap((breaker) => breaker.report() ?? []);
    const open = own.filter(({ state }) => state !== 'closed');
    const reports = open.length > 0 ? open : [...own, ...(reach === null ? [] : [reach])];
    const newest = reports.toSorted((a, b) => b.lastFailureAtMs - a.lastFailureAtMs)[0];
    if (newest === undefined) return null;
    return {
      ...newest,
      state: open.some(({ state }) => state === 'open') ? 'open' : newest.state,
      retryInMs: Math.max(...reports.map(({ retryInMs }) => retryInMs)),
      sinceMs: Math.min(...reports.map(({ sinceMs }) => sinceMs)),
      failures: Math.max(this.#failuresInARow, ...reports.map(({ failures }) => failures)),
      blockedAccounts: open.length,
    };
  }

  get #isSuspect(): boolean {
    return this.#failuresInARow >= this.#policy.failures && this.failsForSeveral;
  }

  /** The account's breaker, marked as most recently used. */
  #getBreaker(accountId: string): CircuitBreaker {
    const breaker = this.#accounts.get(accountId) ?? new CircuitBreaker(this.#clock, this.#policy);
    this.#accounts.delete(accountId);
    if (this.#accounts.size >= MAX_ACCOUNTS) {
      for (const oldest of this.#accounts.keys()) {
        this.#accounts.delete(oldest);
        break;
      }
    }
    this.#accounts.set(accountId, breaker);
    return breaker;
  }
}
