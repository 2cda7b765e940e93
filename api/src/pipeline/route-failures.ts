import type { Route } from '../catalogue/route.ts';
import type { AttemptFailure } from './attempt-failure.ts';
import type { UpstreamState } from './upstream-state.ts';

/** Bound of the random wait after an error without a requested wait, in ms. */
const MAX_JITTER_MS = 100;

interface FailuresContext {
  upstreams: Pick<UpstreamState, 'breakers' | 'cooldowns'>;
  accountId: string;
  retryBudgetMs: number;
}

/** Counts the failures of one request in the breakers of its routes. */
export class RouteFailures {
  readonly #context: FailuresContext;
  /** Breakers that already counted this request: its retries do not count again. */
  readonly #counted = new Set<string>();
  #hasRetried = false;
  #hasReconnected = false;

  constructor(context: FailuresContext) {
    this.#context = context;
  }

  /**
   * @param hasOtherCredential the route can be tried with another credential of its provider
   * @returns the wait before a second attempt at the same route, in ms; null: another route is tried first. Only a single
   *   error of a route that works otherwise is likely to be over soon, and a kept connection that was closed says nothing
   *   about its route
   */
  note(route: Route, breakerId: string, failure: AttemptFailure, hasOtherCredential: boolean): number | null {
    const { blame, outcome, status, retryAfterMs } = failure;
    const { upstreams, accountId } = this.#context;
    const { breakers, cooldowns } = upstreams;
    // Another credential need not wait.
    const isForOther = status === 429 && hasOtherCredential;
    const soonMs = isForOther ? null : this.#findWaitMs(route, breakerId, failure);
    if (status === 429) cooldowns.start(route.id, accountId, retryAfterMs);
    if (blame === 'none' || this.#counted.has(breakerId)) breakers.release(breakerId, accountId);
    else {
      this.#counted.add(breakerId);
      breakers.fail(breakerId, { accountId, error: outcome, isUnreachable: blame === 'unreachable' });
    }
    return soonMs;
  }

  #findWaitMs(
    { id }: Route,
    breakerId: string,
    { status, outcome, retryAfterMs }: AttemptFailure,
  ): number | null {
    if (outcome === 'stale' && !this.#hasReconnected) {
      this.#hasReconnected = true;
      return 0;
    }
    if (this.#hasRetried || (status !== 429 && status !== 500)) return null;
    const { upstreams, accountId, retryBudgetMs } = this.#context;
    const isSingle =
      !upstreams.breakers.isFailing(breakerId) && upstreams.cooldowns.getRemainingMs(id, accountId) === null;
    // A 429 without a wait may last for any time.
    const waitMs = status === 429 ? retryAfterMs : (retryAfterMs ?? Math.ceil(Math.random() * MAX_JITTER_MS));
    if (!isSingle || waitMs === null || waitMs > retryBudgetMs) return null;
    this.#hasRetried = true;
    return waitMs;
  }
}
