import type { Clock } from '@tollgate/core/clock';
import {
  CircuitBreaker,
  type BreakerPolicy,
  type BreakerReport,
  type BreakerState,
} from './circuit-breaker.ts';

/**
 * The circuit breakers of an installation, by the name under which the failures of a route are counted, which may be more than
 * one; a route that works has none, and costs nothing.
 */
export class RouteBreakers {
  readonly #clock: Clock;
  readonly #policy: BreakerPolicy | undefined;
  readonly #failing = new Map<string, CircuitBreaker>();

  constructor(clock: Clock, policy: BreakerPolicy | undefined) {
    this.#clock = clock;
    this.#policy = policy;
  }

  /** May an attempt be made now? See `CircuitBreaker.tryPass`. */
  tryPass(breakerId: string): boolean {
    return this.#failing.get(breakerId)?.tryPass() ?? true;
  }

  succeed(breakerId: string): void {
    this.#failing.delete(breakerId);
  }

  /** @param error in a word, such as `timeout` */
  fail(breakerId: string, error: string): void {
    let breaker = this.#failing.get(breakerId);
    if (breaker === undefined) {
      breaker = new CircuitBreaker(this.#clock, this.#policy);
      this.#failing.set(breakerId, breaker);
    }
    breaker.fail(error);
  }

  /** The attempt told nothing about the route. */
  release(breakerId: string): void {
    this.#failing.get(breakerId)?.release();
  }

  /** Forgets those of routes that are no more. @param isKept told what each was made for */
  keepOnly(isKept: (breakerId: string) => boolean): void {
    for (const breakerId of this.#failing.keys()) if (!isKept(breakerId)) this.#failing.delete(breakerId);
  }

  /** Those that fail. */
  reports(): (BreakerReport & { breakerId: string })[] {
    return [...this.#failing].flatMap(([breakerId, breaker]) => {
      const report = breaker.report();
      return report === null ? [] : [{ breakerId, ...report }];
    });
  }

  stateOf(breakerId: string): BreakerState {
    return this.#failing.get(breakerId)?.state ?? 'closed';
  }
}
