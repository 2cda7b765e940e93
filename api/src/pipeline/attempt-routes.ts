import { parseLimitResetMs } from '@tollgate/upstreams/routing/limit-headers';
import { getFirstTokenLimitMs, getRetryBudgetMs, hasLargerContext } from '../catalogue/model-routing.ts';
import type { Route } from '../catalogue/route.ts';
import { findCredentialRefusal, isAboutCredential } from './credential-failure.ts';
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
    if (route.isOneOfSeveral) this.#planCredentials(route, failure);
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
    return this.#plan.nextFresh((route) =>
      // The provider would be as slow with another credential.
      route.routeId === attempt.route.routeId ? null : this.#enter(route),
    );
  }

  #planCredentials(route: Route, failure: AttemptFailure): void {
    if (!isAboutCredential(failure)) this.#plan.postponeCredentials(route);
    else if (this.#plan.hasOtherCredential(route)) this.#plan.noteOtherCredential();
  }

  /** @returns the wait before another attempt at the same route; null: other routes are tried first */
  noteFailure(attempt: Attempt, failure: AttemptFailure): number | null {
    attempt.hasFailed = true;
    this.#setAside(attempt.route, failure);
    this.#context.settlement.attempts.noteFailure(attempt, failure);
    this.outlook.noteFailed(attempt.route, failure);
    const { upstreams, key, model, settlement } = this.#context;
    const isBlamed = failure.blame !== 'none';
    settlement.watch?.noteFailure(attempt.route, isBlamed ? Date.now() - attempt.startedAtMs : null);
    const retryBudgetMs = getRetryBudgetMs(model.routing);
    this.#failures ??= new RouteFailures({ upstreams, accountId: key.accountId, retryBudgetMs });
    const hasOther = this.#plan.hasOtherCredential(attempt.route);
    return this.#failures.note(attempt.route, this.#breakerId(attempt.route), failure, hasOther);
  }

  #setAside({ credential }: Route, failure: AttemptFailure): void {
    const { upstreams, settlement } = this.#context;
    const refusal = findCredentialRefusal(failure, settlement.attempts.refusal);
    if (credential !== null && refusal !== null) upstreams.credentials.setAside(credential, refusal);
  }

  /** The route of the attempt has served the request. */
  noteServed({ route, startedAtMs }: Attempt): void {
    const { upstreams, key } = this.#context;
    upstreams.breakers.succeed(this.#breakerId(route), key.accountId);
    if (route.credential !== null) upstreams.credentials.noteServed(route.credential, startedAtMs);
  }

  /** A credential that has reached a limit is not the first choice until the limit allows more. */
  noteLimits({ id }: Route, header: (name: string) => string | null): void {
    const { upstreams, key } = this.#context;
    upstreams.cooldowns.start(id, key.accountId, parseLimitResetMs(header, Date.now()));
  }

  /** The attempt says nothing about its route. */
  release(route: Route): void {
    const { upstreams, key, settlement } = this.#context;
    settlement.watch?.noteFailure(route, null);
    upstreams.breakers.release(this.#breakerId(route), key.accountId);
  }

  /** A larger input needs a larger context window, and a provider refuses a request whatever the credential. */
  #accepts(other: Route, refusing: Route, cause: RefusalCause): boolean {
    if (other.routeId === refusing.routeId) return false;
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
