import type { Clock } from '@tollgate/core/runtime/clock';
import type { BreakerPolicy } from './circuit-breaker.ts';
import { RouteBreakers } from './route-breakers.ts';
import { RouteCooldowns } from './route-cooldowns.ts';
import type { RouteEvent, ShareRouteEvent } from './route-events.ts';
import type { RouteFailure } from './route-health.ts';

/**
 * Breakers of several processes, each of which counts what the others report. Nothing is sent about a route that does not
 * fail.
 */
export class SharedRouteBreakers extends RouteBreakers {
  readonly #share: ShareRouteEvent;

  constructor(share: ShareRouteEvent, clock: Clock, policy?: BreakerPolicy) {
    super(clock, policy);
    this.#share = share;
  }

  override tryPass(breakerId: string, accountId: string): boolean {
    const isProbe = this.isResting(breakerId);
    const passes = super.tryPass(breakerId, accountId);
    if (isProbe && passes) this.#share({ kind: 'probed', breakerId, accountId });
    return passes;
  }

  override succeed(breakerId: string, accountId: string): void {
    if (!this.isFailing(breakerId)) return;
    super.succeed(breakerId, accountId);
    this.#share({ kind: 'succeeded', breakerId, accountId });
  }

  override fail(breakerId: string, failure: RouteFailure): void {
    super.fail(breakerId, failure);
    this.#share({ kind: 'failed', breakerId, failure });
  }

  override release(breakerId: string, accountId: string): void {
    if (!this.isFailing(breakerId)) return;
    super.release(breakerId, accountId);
    this.#share({ kind: 'released', breakerId, accountId });
  }

  override recover(breakerId: string): void {
    if (!this.isFailing(breakerId)) return;
    super.recover(breakerId);
    this.#share({ kind: 'recovered', breakerId });
  }

  override keepOpen(breakerId: string): void {
    if (!this.isFailing(breakerId)) return;
    super.keepOpen(breakerId);
    this.#share({ kind: 'kept-open', breakerId });
  }

  /** Counts what another process reports. */
  note(event: Exclude<RouteEvent, { kind: 'cooldown' }>): void {
    switch (event.kind) {
      case 'failed':
        return super.fail(event.breakerId, event.failure);
      case 'succeeded':
        return super.succeed(event.breakerId, event.accountId);
      case 'released':
        return super.release(event.breakerId, event.accountId);
      case 'probed':
        // Takes the probe here too, so that this process sends none.
        super.tryPass(event.breakerId, event.accountId);
        return;
      case 'recovered':
        return super.recover(event.breakerId);
      case 'kept-open':
        return super.keepOpen(event.breakerId);
    }
  }
}

/** Cooldowns of several processes. */
export class SharedRouteCooldowns extends RouteCooldowns {
  readonly #share: ShareRouteEvent;

  constructor(share: ShareRouteEvent, clock: Clock) {
    super(clock);
    this.#share = share;
  }

  override start(routeId: string, accountId: string, retryAfterMs: number | null): void {
    super.start(routeId, accountId, retryAfterMs);
    if (retryAfterMs !== null && retryAfterMs > 0)
      this.#share({ kind: 'cooldown', routeId, accountId, retryAfterMs });
  }

  /** Starts the cooldown of a route that another process has asked. */
  note({ routeId, accountId, retryAfterMs }: Extract<RouteEvent, { kind: 'cooldown' }>): void {
    super.start(routeId, accountId, retryAfterMs);
  }
}
