import type { Clock } from '@tollgate/core/clock';
import {
  CircuitBreaker,
  type BreakerPolicy,
  type BreakerReport,
  type BreakerState,
} from './circuit-breaker.ts';

/** The circuit breakers of an installation, by route; a route that works has none, and costs nothing. */
export class RouteBreakers {
  readonly #clock: Clock;
  readonly #policy: BreakerPolicy | undefined;
  readonly #failing = new Map<string, CircuitBreaker>();

  constructor(clock: Clock, policy: BreakerPolicy | undefined) {
    this.#clock = clock;
    this.#policy = policy;
  }

  /** May an attempt be made now? See `CircuitBreaker.tryPass`. */
  tryPass(routeId: string): boolean {
    return this.#failing.get(routeId)?.tryPass() ?? true;
  }

  succeed(routeId: string): void {
    this.#failing.delete(routeId);
  }

  /** @param error in a word, such as `timeout` */
  fail(routeId: string, error: string): void {
    let breaker = this.#failing.get(routeId);
    if (breaker === undefined) {
      breaker = new CircuitBreaker(this.#clock, this.#policy);
      this.#failing.set(routeId, breaker);
    }
    breaker.fail(error);
  }

  /** The attempt told nothing about the route. */
  release(routeId: string): void {
    this.#failing.get(routeId)?.release();
  }

  /** Those that fail. */
  reports(): (BreakerReport & { routeId: string })[] {
    return [...this.#failing].flatMap(([routeId, breaker]) => {
      const report = breaker.report();
      return report === null ? [] : [{ routeId, ...report }];
    });
  }

  stateOf(routeId: string): BreakerState {
    return this.#failing.get(routeId)?.state ?? 'closed';
  }
}
