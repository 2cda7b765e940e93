import { getFirstTokenLimitMs, getRetryBudgetMs, hasLargerContext } from '../catalogue/model-routing.ts';
import type { Route } from '../catalogue/route.ts';
import type { AttemptFailure } from './attempt-failure.ts';
import { Attempt, type AttemptOwner } from './attempt.ts';
import { enterRoute } from './enter-route.ts';
import type { ExecuteContext } from './execute-context.ts';
import type { RefusalCause } from './relay.ts';
import { RetryOutlook } from './retry-outlook.ts';
import { RouteFailures } from './route-failures.ts';
import { RoutePlan, type Planned } from './route-plan.ts';

/** While it is closed, an attempt keeps its response back. */
interface Gate {
  readonly isOpen: boolean;
}

/** Chooses the route of each attempt of one request, and records how the routes served it. */
export class AttemptRoutes {
  readonly #context: ExecuteContext;
  readonly #owner: AttemptOwner;
  readonly #admission: Gate;
  /** null: none yet. */
  #failures: RouteFailures | null = null;
  #plan: RoutePlan;
  outlook: RetryOutlook;
  /** When it was last checked whether a silent provider can be replaced. */
  #askedAtMs = 0;

  constructor(context: ExecuteContext, owner: AttemptOwner, admission: Gate) {
    this.#context = context;
    this.#plan = this.#planRoutes();
    this.outlook = new RetryOutlook(context, this.#plan);
    this.#owner = owner;
    this.#admission = admission;
  }

  /** As a method: if a field has it as an arrow function, each young collection keeps the requests that have ended, and takes eight times as long. */
  #enter(route: Route): Attempt | null {
    const entered = enterRoute(this.#context, route, {
      owner: this.#owner,
      isGated: !this.#admission.isOpen,
    });
    if (entered === null || entered instanceof Attempt) return entered;
    this.outlook.noteRefused(route, entered);
    return null;
  }

  /** Starts again with all routes. */
  reset(): void {
    this.#plan = this.#planRoutes();
    this.outlook = new RetryOutlook(this.#context, this.#plan);
  }

  /** @returns null if no route is left */
  next(): Planned<Attempt> | null {
    return this.#plan.next((route) => this.#enter(route));
  }

  /** False: the caller gets the refusal, because no other route may accept the request. */
  mayPass(route: Route, { cause }: AttemptFailure): boolean {
    if (cause === undefined) return true;
    if (cause === 'content_policy' && !this.#context.model.routing.contentPolicyFailover) return false;
    return this.#plan.untried.some((other) => this.#accepts(other, route, cause));
  }

  /** @param soonMs from `noteFailure` */
  nextAfter(route: Route, failure: AttemptFailure, soonMs: number | null): Planned<Attempt> | null {
    if (soonMs !== null) this.#plan.noteSoon(route, soonMs);
    else if (failure.isRetryable) this.#plan.noteRetryable(route, failure);
    const { cause } = failure;
    if (cause === undefined) return this.next();
    return this.#plan.nextFresh((other) => (this.#accepts(other, route, cause) ? this.#enter(other) : null));
  }

  /**
   * Finds another route if the first content of a stream takes too long.
   * @returns null if it does not, or if no other route can be tried: then nothing is gained by giving up
   */
  insteadOfSilent(attempt: Attempt, nowMs: number): Planned<Attempt> | null {
    const { model, inputTokens } = this.#context;
    const sinceMs = Math.max(attempt.startedAtMs, this.#askedAtMs);
    if (!attempt.awaitsContent || nowMs - sinceMs < getFirstTokenLimitMs(model, inputTokens)) return null;
    this.#askedAtMs = nowMs;
    return this.#plan.nextFresh((route) => this.#enter(route));
  }

  /** @returns the wait before another attempt at the same route; null: other routes are tried first */
  noteFailure(attempt: Attempt, failure: AttemptFailure): number | null {
    attempt.hasFailed = true;
    this.#context.settlement.attempts.noteFailure(attempt, failure);
    this.outlook.noteFailed(attempt.route, failure);
    const { upstreams, key, model } = this.#context;
    const retryBudgetMs = getRetryBudgetMs(model.routing);
    this.#failures ??= new RouteFailures({ upstreams, accountId: key.accountId, retryBudgetMs });
    return this.#failures.note(attempt.route, this.#breakerId(attempt.route), failure);
  }

  /** The route has served the request. */
  noteServed(route: Route): void {
    const { upstreams, key } = this.#context;
    upstreams.breakers.succeed(this.#breakerId(route), key.accountId);
  }

  /** The attempt says nothing about its route. */
  release(route: Route): void {
    const { upstreams, key } = this.#context;
    upstreams.breakers.release(this.#breakerId(route), key.accountId);
  }

  /** A larger input needs a larger context window. */
  #accepts(other: Route, refusing: Route, cause: RefusalCause): boolean {
    return cause !== 'context_length' || hasLargerContext(this.#context.model, other, refusing);
  }

  #planRoutes(): RoutePlan {
    const { upstreams, routes, key } = this.#context;
    return new RoutePlan(upstreams.cooldowns.order(routes, key.accountId), upstreams.retry);
  }

  #breakerId(route: Route): string {
    return this.#context.spec.breakerId(route);
  }
}
