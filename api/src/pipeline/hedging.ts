import { HEDGED, type AttemptFailure } from './attempt-failure.ts';
import type { Attempt } from './attempt.ts';
import type { ExecuteContext } from './execute-context.ts';
import type { HedgeListener } from './hedge-call.ts';
import type { RunCosts } from './run-costs.ts';

/** What it needs of `AttemptRoutes`. */
interface HedgingRoutes {
  readonly context: Pick<ExecuteContext, 'model' | 'settlement'>;
  enterAnother(attempt: Attempt): Attempt | null;
  noteFailure(attempt: Attempt, failure: AttemptFailure): unknown;
  noteGivenUp(attempt: Attempt, failure: AttemptFailure): void;
}

interface HedgingOwner {
  /** The second attempt has content, and the first one may still have none. */
  preferHedge(): void;
}

/** The second attempt of a request whose first one has no content for long; at most one for each model that is tried. */
export class Hedging implements HedgeListener {
  readonly #routes: HedgingRoutes;
  readonly #costs: RunCosts;
  readonly #owner: HedgingOwner;
  #attempt: Attempt | null = null;
  #isUsed = false;

  constructor(routes: HedgingRoutes, costs: RunCosts, owner: HedgingOwner) {
    this.#routes = routes;
    this.#costs = costs;
    this.#owner = owner;
    const { watch } = routes.context.settlement;
    if (watch !== null) watch.hedging = this;
  }

  /** Starts the second attempt if it is time for it, and if another route can take the request. */
  check(first: Attempt, nowMs: number): void {
    const { hedgeAfterMs } = this.#routes.context.model.routing;
    if (this.#isUsed || hedgeAfterMs === null || nowMs - first.startedAtMs < hedgeAfterMs) return;
    const attempt = this.#routes.enterAnother(first);
    if (attempt === null) return;
    this.#isUsed = true;
    this.#attempt = attempt;
    attempt.startAhead(this);
  }

  hedgeHasContent(): void {
    this.#owner.preferHedge();
  }

  hedgeFailed(failure: AttemptFailure): void {
    const attempt = this.take();
    if (attempt === null) return;
    this.#routes.noteFailure(attempt, failure);
    if (attempt.wasSent) this.#costs.noteFailed(attempt, failure);
    attempt.abort();
  }

  /** The second attempt becomes the only one. @returns null if there is none */
  take(): Attempt | null {
    const attempt = this.#attempt;
    this.#attempt = null;
    return attempt;
  }

  /** Ends the first attempt if the caller has nothing of it. @returns the second one, which replaces it; null: it does not */
  replace(first: Attempt | null): Attempt | null {
    // An error may be on its way to the caller.
    if (first === null || first.hasBegun || first.hasFailed) {
      this.cancel();
      return null;
    }
    const attempt = this.take();
    if (attempt !== null) this.#giveUp(first);
    return attempt;
  }

  /** The first attempt has content, or the request has ended. */
  cancel(): void {
    const attempt = this.take();
    if (attempt !== null) this.#giveUp(attempt);
  }

  /** The other attempt was faster. The provider may bill what it has done. */
  #giveUp(attempt: Attempt): void {
    this.#routes.noteGivenUp(attempt, HEDGED);
    if (attempt.wasSent) this.#costs.noteFailed(attempt, HEDGED);
    attempt.abort();
  }
}

interface HedgeParts {
  nowMs: number;
  routes: HedgingRoutes & { hedging: Hedging | null };
  costs: RunCosts;
  owner: HedgingOwner;
}

/** Starts a second attempt if the first one has no content for as long as the model allows. */
export function hedge(first: Attempt, { nowMs, routes, costs, owner }: HedgeParts): void {
  if (!first.awaitsContent) return;
  const { settlement, model } = routes.context;
  settlement.watch?.noteWaiting(first.route, nowMs - first.startedAtMs);
  if (model.routing.hedgeAfterMs === null) return;
  routes.hedging ??= new Hedging(routes, costs, owner);
  routes.hedging.check(first, nowMs);
}
