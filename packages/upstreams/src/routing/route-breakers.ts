import type { Clock } from '@tollgate/core/clock';
import { CircuitBreaker, type BreakerPolicy, type BreakerState } from './circuit-breaker.ts';

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

  fail(routeId: string): void {
    let breaker = this.#failing.get(routeId);
    if (breaker === undefined) {
      breaker = new CircuitBreaker(this.#clock, this.#policy);
      this.#failing.set(routeId, breaker);
    }
    breaker.fail();
  }

  /** The attempt told nothing about the route. */
  release(routeId: string): void {
    this.#failing.get(routeId)?.release();
  }

  stateOf(routeId: string): BreakerState {
    return this.#failing.get(routeId)?.state ?? 'closed';
  }
}
