import type { Clock } from '@tollgate/core/runtime/clock';
import { DEFAULT_BREAKER, type BreakerPolicy } from './circuit-breaker.ts';
import { RouteHealth, type RouteFailure, type RouteReport } from './route-health.ts';

/** Failing routes that are remembered, also with credentials of accounts; beyond this the oldest are forgotten. */
const MAX_FAILING = 20_000;

/**
 * The circuit breakers of an installation, by breaker id: a route's id, and a suffix for an endpoint whose failures count
 * separately. A healthy route has no entry.
 */
export class RouteBreakers {
  readonly #clock: Clock;
  readonly #policy: BreakerPolicy;
  readonly #failing = new Map<string, RouteHealth>();

  constructor(clock: Clock, policy: BreakerPolicy = DEFAULT_BREAKER) {
    this.#clock = clock;
    this.#policy = policy;
  }

  /** True if the account may send a request to the route now. See `RouteHealth.tryPass`. */
  tryPass(breakerId: string, accountId: string): boolean {
    return this.#failing.get(breakerId)?.tryPass(accountId) ?? true;
  }

  /** The newest failure of what closes the route for the account. See `RouteHealth.getLastError`. */
  getLastError(breakerId: string, accountId: string): string | null {
    return this.#failing.get(breakerId)?.getLastError(accountId) ?? null;
  }

  /** True if the route has failed since its last success, for any account. */
  isFailing(breakerId: string): boolean {
    return this.#failing.has(breakerId);
  }

  /** True if the route failed for several accounts since its last success, so that it is not what one of them sends. */
  failsForSeveral(breakerId: string): boolean {
    return this.#failing.get(breakerId)?.failsForSeveral ?? false;
  }

  succeed(breakerId: string, accountId: string): void {
    const health = this.#failing.get(breakerId);
    if (health === undefined) return;
    health.succeed(accountId);
    if (health.isClear) this.#failing.delete(breakerId);
  }

  /** True if the breaker is not closed, for any account. */
  isResting(breakerId: string): boolean {
    return this.#failing.get(breakerId)?.isResting ?? false;
  }

  /** A health check was answered. See `RouteHealth.recover`. */
  recover(breakerId: string): void {
    const health = this.#failing.get(breakerId);
    if (health === undefined) return;
    health.recover();
    if (health.isClear) this.#failing.delete(breakerId);
  }

  /** A health check has failed. It opens nothing. */
  keepOpen(breakerId: string): void {
    this.#failing.get(breakerId)?.keepOpen();
  }

  fail(breakerId: string, failure: RouteFailure): void {
    const health = this.#failing.get(breakerId) ?? new RouteHealth(this.#clock, this.#policy);
    // The newest failures are last.
    this.#failing.delete(breakerId);
    if (this.#failing.size >= MAX_FAILING) this.#dropOldest();
    this.#failing.set(breakerId, health);
    health.fail(failure);
  }

  /** The attempt says nothing about the route. */
  release(breakerId: string, accountId: string): void {
    this.#failing.get(breakerId)?.release(accountId);
  }

  /** Forgets the breakers of removed routes. */
  keepOnly(isKept: (breakerId: string) => boolean): void {
    for (const breakerId of this.#failing.keys()) if (!isKept(breakerId)) this.#failing.delete(breakerId);
  }

  /** The failing routes. */
  reports(): (RouteReport & { breakerId: string })[] {
    return [...this.#failing].flatMap(([breakerId, health]) => {
      const report = health.report();
      return report === null ? [] : [{ breakerId, ...report }];
    });
  }

  #dropOldest(): void {
    for (const oldest of this.#failing.keys()) {
      this.#failing.delete(oldest);
      return;
    }
  }
}
