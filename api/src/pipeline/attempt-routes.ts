import type { AttemptStop } from '@tollgate/core/money/ledger';
import type { FallbackClass } from '@tollgate/core/models/fallback-model';
import { parseLimitResetMs } from '@tollgate/upstreams/routing/limit-headers';
import { getFirstTokenLimitMs, getRetryBudgetMs } from '../catalogue/model-routing.ts';
import type { Route } from '../catalogue/route.ts';
import { findCredentialRefusal, planCredentials } from './credential-failure.ts';
import { hadNoPlace, NO_FIRST_TOKEN, type AttemptFailure } from './attempt-failure.ts';
import { Attempt, type AttemptOwner } from './attempt.ts';
import { compareRoutes, noteNext, findStop } from './attempt-decision.ts';
import { continueRequest } from './continuation/continued-request.ts';
import type { Continuation } from './continuation/continuation.ts';
import { enterToContinue } from './continuation/enter-to-continue.ts';
import { enterRoute } from './enter-route.ts';
import { classifyError, classifyFailure } from './fallback-class.ts';
import { createFallbackContext, findFallbackLimit } from './fallback-context.ts';
import { getUsualMode } from './likely-output.ts';
import { isOtherRoute, mayAccept } from './other-routes.ts';
import { NO_ROUTE, PLACE_ASKED } from './upstream-failure.ts';
import type { ExecuteContext } from './execute-context.ts';
import type { Hedging } from './hedging.ts';
import { RetryOutlook } from './retry-outlook.ts';
import { isWatched, RouteWatch } from './route-watch.ts';
import { RouteFailures } from './route-failures.ts';
import { planRoutes } from './plan-routes.ts';
import type { Planned, RoutePlan } from './route-plan.ts';
import type { RunCosts } from './run-costs.ts';
import type { TriedModel } from './tried-model.ts';

/** Chooses the route of each attempt of one request, and records how the routes served it. */
export class AttemptRoutes {
  readonly #requested: ExecuteContext;
  /** The request at the model that is tried: the requested one, or a fallback model. */
  context: ExecuteContext;
  readonly #owner: AttemptOwner;
  /** While it is closed, an attempt keeps its response back. */
  readonly #admission: { readonly isOpen: boolean };
  /** null: none yet. */
  #failures: RouteFailures | null = null;
  #plan: RoutePlan;
  outlook: RetryOutlook;
  /** null: no attempt at the model has been silent for long. */
  hedging: Hedging | null = null;
  /** When it was last checked whether a silent provider can be replaced; 0: it is to be checked again soon. */
  #askedAtMs = 0;

  constructor(context: ExecuteContext, owner: AttemptOwner, admission: { readonly isOpen: boolean }) {
    this.#requested = context;
    this.context = context;
    this.#plan = planRoutes(context);
    this.outlook = new RetryOutlook(context, this.#plan);
    this.#owner = owner;
    this.#admission = admission;
  }

  /** As a method: if a field has it as an arrow function, each young collection keeps the requests that have ended, and takes eight times as long. */
  #enter(route: Route, context = this.context, outlook = this.outlook, isBeside = false): Attempt | null {
    const isGated = !this.#admission.isOpen;
    const entered = enterRoute(context, route, { owner: this.#owner, isGated, isBeside });
    if (entered === null || entered instanceof Attempt) return entered;
    if (entered === PLACE_ASKED) this.#askedAtMs = 0;
    else outlook.noteRefused(route, entered);
    return null;
  }

  /** Enters a route while another attempt is running. */
  #enterBeside(route: Route): Attempt | null {
    return this.#enter(route, this.context, this.outlook, true);
  }

  /** Starts again with all routes of the requested model. */
  reset(): void {
    this.hedging?.cancel();
    const context = this.#requested;
    const plan = planRoutes(context);
    const outlook = new RetryOutlook(context, plan);
    if (this.context === context) {
      this.#plan = plan;
      this.outlook = outlook;
    } else this.#change({ context, plan, outlook, candidate: null });
    context.fallbacks?.reset();
  }

  /** Finds a route that continues a stream after an attempt broke off. @returns null if none can */
  nextToContinue(
    continuation: Continuation,
    { attempt, failure, costs }: { attempt: Attempt; failure: AttemptFailure; costs: RunCosts },
  ): Planned<Attempt> | null {
    const { isContinued } = continuation;
    const after = continuation.noteBreak(attempt, failure, costs);
    const planned = this.#plan.nextAfterBreak(after, (route) => {
      // One bill has one price: what the provider bills the account is no part of it.
      if (route.isOwn !== attempt.route.isOwn) return null;
      const request = continueRequest(this.context, continuation, route);
      if (request === null) return null;
      const hasOther = this.#plan.untried.some((other) => isOtherRoute(other, route));
      const entered = enterToContinue(request, route, { owner: this.#owner, continuation, hasOther });
      if (entered instanceof Attempt) return entered;
      if (entered !== null) this.outlook.noteRefused(route, entered);
      return null;
    });
    if (planned === null) return this.noteStop(attempt, 'response_begun');
    if (!isContinued) costs.noteHidden(attempt, attempt.meter());
    return noteNext(this.context.settlement.attempts, attempt, 'continuation', planned);
  }

  /** @returns null if no model can be called */
  first(): Planned<Attempt> | null {
    return this.#next() ?? this.#fallBack(classifyError(this.outlook.getRefusal() ?? NO_ROUTE), null);
  }

  #next(): Planned<Attempt> | null {
    return this.#plan.next((route) => this.#enter(route));
  }

  /** False: the caller gets the refusal, because no other route and no fallback model may accept the request. */
  mayPass({ route }: Attempt, failure: AttemptFailure): boolean {
    const { cause } = failure;
    const { fallbacks, model } = this.context;
    if (cause === undefined || this.#plan.untried.some((other) => mayAccept(model, other, route, cause)))
      return true;
    return fallbacks?.has(classifyFailure(failure), { model, route }) ?? false;
  }

  /** @param soonMs from `noteFailure` */
  nextAfter(attempt: Attempt, failure: AttemptFailure, soonMs: number | null): Planned<Attempt> | null {
    const { route } = attempt;
    if (soonMs !== null) this.#plan.noteSoon(route, soonMs);
    else if (failure.isRetryable) this.#plan.noteRetryable(route, failure);
    if (route.isOneOfSeveral) planCredentials(this.#plan, route, failure);
    const { cause } = failure;
    const { model, settlement } = this.context;
    const { attempts } = settlement;
    const hedged = this.#takeHedge();
    if (hedged !== null) return noteNext(attempts, attempt, 'second_attempt', hedged);
    const enter = (other: Route) =>
      cause === undefined || mayAccept(model, other, route, cause) ? this.#enter(other) : null;
    const planned = cause === undefined ? this.#next() : this.#plan.nextFresh(enter);
    if (planned !== null) return noteNext(attempts, attempt, compareRoutes(route, planned), planned);
    const why = findStop(failure, this.#plan, this.outlook);
    const fallback = this.#fallBack(classifyFailure(failure), route);
    return fallback === null
      ? this.noteStop(attempt, why)
      : noteNext(attempts, attempt, 'fallback_model', fallback);
  }

  /** Records why nothing follows a failed attempt. */
  noteStop(attempt: Attempt, why: AttemptStop): null {
    this.context.settlement.attempts.decide(attempt, 'none', why);
    return null;
  }

  /**
   * Finds another route or model if the first content of a stream takes too long, and records the failure.
   * @returns null if it does not, or if no other can be tried: then nothing is gained by giving up
   */
  insteadOfSilent(attempt: Attempt, nowMs: number): Planned<Attempt> | null {
    const { model, inputTokens } = this.context;
    const sinceMs = Math.max(attempt.startedAtMs, this.#askedAtMs);
    if (!attempt.awaitsContent || nowMs - sinceMs < getFirstTokenLimitMs(model, inputTokens)) return null;
    this.#askedAtMs = nowMs;
    const fresh = this.#takeHedge() ?? this.#nextInsteadOf(attempt);
    const isLast = fresh === null && this.#askedAtMs === nowMs;
    const fallback = isLast ? this.#findFallback('failure', attempt.route) : null;
    const planned = fresh ?? fallback?.planned ?? null;
    if (planned === null) return null;
    this.noteFailure(attempt, NO_FIRST_TOKEN);
    const next = fallback === null ? compareRoutes(attempt.route, planned) : 'fallback_model';
    if (fallback !== null) this.#change(fallback);
    return noteNext(this.context.settlement.attempts, attempt, next, planned);
  }

  /** Enters another route while an attempt has no content; null: none can take the request. */
  enterAnother(attempt: Attempt): Attempt | null {
    // Only one of two running attempts is billed here, so both have the same price.
    const enter = (route: Route) => (isOtherRoute(route, attempt.route) ? this.#enterBeside(route) : null);
    return this.#plan.nextOutOfTurn(enter)?.entered ?? null;
  }

  #nextInsteadOf(attempt: Attempt): Planned<Attempt> | null {
    return this.#plan.nextOutOfTurn((route) =>
      // The provider would be as slow with another credential.
      route.routeId === attempt.route.routeId ? null : this.#enterBeside(route),
    );
  }

  /** A second attempt that is running is the next one. */
  #takeHedge(): Planned<Attempt> | null {
    const entered = this.hedging?.take() ?? null;
    return entered === null ? null : { entered, delayMs: 0 };
  }

  /** The attempt is recorded, but says nothing about its route. */
  noteGivenUp(attempt: Attempt, failure: AttemptFailure): void {
    const { settlement, model } = this.context;
    settlement.attempts.model = model.id;
    settlement.attempts.noteFailure(attempt, failure, this.context);
    this.release(attempt.route);
  }

  /** Changes to a fallback model. @returns null if none can take the request now: the model stays */
  #fallBack(of: FallbackClass, failed: Route | null): Planned<Attempt> | null {
    const fallback = this.#findFallback(of, failed);
    if (fallback === null) return null;
    this.#change(fallback);
    return fallback.planned;
  }

  /** @param failed the route of the last attempt; null: there was none */
  #findFallback(
    of: FallbackClass,
    failed: Route | null,
  ): (TriedModel & { planned: Planned<Attempt> }) | null {
    const { fallbacks, model } = this.context;
    if (fallbacks === null) return null;
    for (;;) {
      const candidate = fallbacks.take(of, { model, route: failed });
      if (candidate === null) return null;
      const context = createFallbackContext(this.#requested, candidate);
      if (context === null) continue;
      const plan = planRoutes(context);
      const outlook = new RetryOutlook(context, plan);
      const planned = plan.next((route) => this.#enter(route, context, outlook));
      if (planned !== null) return { context, plan, outlook, candidate, planned };
    }
  }

  #change({ context, plan, outlook, candidate }: TriedModel): void {
    const { settlement, model, key, terms, chosen, hold, upstreams, fallbacks } = context;
    this.context = context;
    this.#plan = plan;
    this.outlook = outlook;
    this.#askedAtMs = 0;
    this.#failures = null;
    this.hedging = null;
    settlement.noteModel(model.id);
    settlement.attempts.model = model.id;
    settlement.chosen = chosen;
    const { strategies } = upstreams;
    const { sessionHash } = chosen;
    settlement.watch = isWatched(model) ? new RouteWatch({ strategies, model, key, sessionHash }) : null;
    settlement.output.usualMode = getUsualMode(model);
    settlement.served.needs = terms.needs;
    hold?.use(candidate);
    if (fallbacks !== null)
      fallbacks.lowerLimit = candidate === null ? null : findFallbackLimit(this.#requested, context);
  }

  /** @returns the wait before another attempt at the same route; null: other routes are tried first */
  noteFailure(attempt: Attempt, failure: AttemptFailure): number | null {
    attempt.hasFailed = true;
    this.outlook.noteFailed(attempt.route, failure);
    if (hadNoPlace(failure)) return this.#noteNoPlace(attempt.route);
    const { upstreams, key, model, settlement } = this.context;
    const { credential } = attempt.route;
    const refusal = findCredentialRefusal(failure, settlement.attempts.refusal);
    if (credential !== null && refusal !== null) upstreams.credentials.setAside(credential, refusal);
    settlement.attempts.model = model.id;
    settlement.attempts.noteFailure(attempt, failure, this.context);
    const retryBudgetMs = getRetryBudgetMs(model.routing);
    this.#failures ??= new RouteFailures({ upstreams, accountId: key.accountId, retryBudgetMs });
    const hasOther = this.#plan.hasOtherCredential(attempt.route);
    const breakerId = this.#breakerId(attempt.route);
    const soonMs = this.#failures.note(attempt.route, breakerId, failure, hasOther);
    settlement.watch?.noteFailure(attempt, failure, upstreams.breakers.failsForSeveral(breakerId));
    return soonMs;
  }

  #noteNoPlace(route: Route): null {
    this.release(route);
    this.#plan.noteNotSent();
    return null;
  }

  /** The route of the attempt has served the request. */
  noteServed({ route, startedAtMs }: Attempt): void {
    const { upstreams, key, model } = this.context;
    upstreams.breakers.succeed(this.#breakerId(route), key.accountId);
    if (model.routing.healthCheckIntervalS !== null && !route.isOwn) upstreams.served.note(route.id);
    if (route.credential !== null) upstreams.credentials.noteServed(route.credential, startedAtMs);
  }

  /** A credential that has reached a limit is not the first choice until the limit allows more. */
  noteLimits({ id }: Route, header: (name: string) => string | null): void {
    const { upstreams, key } = this.context;
    upstreams.cooldowns.start(id, key.accountId, parseLimitResetMs(header, Date.now()));
  }

  /** The attempt says nothing about its route. */
  release(route: Route): void {
    const { upstreams, key, settlement } = this.context;
    settlement.watch?.release(route);
    upstreams.breakers.release(this.#breakerId(route), key.accountId);
  }

  #breakerId(route: Route): string {
    return this.context.spec.breakerId(route);
  }
}
