import type { Route } from '../catalogue/route.ts';
import type { AttemptFailure } from './attempt-failure.ts';
import type { UpstreamState } from './upstream-state.ts';

/** Counts the failures and successes of one request in the breakers of its routes. */
export class RouteFailures {
  readonly #upstreams: UpstreamState;
  readonly #accountId: string;
  /** Breakers that already counted this request: its retries do not count again. */
  readonly #counted = new Set<string>();

  constructor(upstreams: UpstreamState, accountId: string) {
    this.#upstreams = upstreams;
    this.#accountId = accountId;
  }

  /** The route has served a request. */
  clear(breakerId: string): void {
    this.#upstreams.breakers.succeed(breakerId, this.#accountId);
  }

  note(route: Route, breakerId: string, { blame, outcome, status, retryAfterMs }: AttemptFailure): void {
    const { breakers, cooldowns } = this.#upstreams;
    const accountId = this.#accountId;
    if (status === 429) cooldowns.start(route.id, accountId, retryAfterMs);
    if (blame === 'none' || this.#counted.has(breakerId)) {
      breakers.release(breakerId, accountId);
      return;
    }
    this.#counted.add(breakerId);
    breakers.fail(breakerId, { accountId, error: outcome, isUnreachable: blame === 'unreachable' });
  }
}
