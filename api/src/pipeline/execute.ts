/**
 * The network part of a request: tries the routes in order until one answers, as long as the caller has received nothing.
 * Ensures that every way to end (answered, failed, cut by the operator, abandoned by the caller) settles the request once
 * and leaves nothing running.
 */
import type { GatewayError } from '@tollgate/core/errors/errors';
import { UNLIMITED_PLACE } from '@tollgate/upstreams/routing/provider-concurrency';
import type { Route } from '../catalogue/route.ts';
import type { ExchangeListener } from '../exchange.ts';
import type { EndpointSpec } from '../endpoints.ts';
import { Admission, type AdmissionOwner } from './admission.ts';
import type { AttemptFailure } from './attempt-failure.ts';
import { Attempt, type AttemptOwner } from './attempt.ts';
import type { Draining } from './drains.ts';
import type { ExecuteContext } from './execute-context.ts';
import { tryForward } from './forwarded-request.ts';
import type { RunningCompletion } from './in-flight.ts';
import { UNMETERED } from './metered.ts';
import { answerLocally } from './local-answer.ts';
import { refuse } from './relay.ts';
import { RunCosts } from './run-costs.ts';
import { RouteFailures } from './route-failures.ts';
import { RoutePlan, type Planned } from './route-plan.ts';
import { BUSY, NO_ROUTE, restingError } from './upstream-failure.ts';

/** Starts a completion, which runs until it is settled. */
export function execute(context: ExecuteContext): void {
  new CompletionRun(context).start();
}

class CompletionRun implements ExchangeListener, RunningCompletion, AttemptOwner, AdmissionOwner, Draining {
  readonly keyHash: string;
  slot = -1;
  readonly #context: ExecuteContext;
  #plan: RoutePlan;
  readonly #admission: Admission;
  #attempt: Attempt | null = null;
  #retryTimer: ReturnType<typeof setTimeout> | null = null;
  /** The error of the first route that could not be called. */
  #refusal: GatewayError | null = null;
  readonly #failures: RouteFailures;
  #isOver = false;
  /** The caller has disconnected, and the response is read on for its usage. */
  #isDraining = false;
  readonly #costs: RunCosts;

  constructor(context: ExecuteContext) {
    this.keyHash = context.key.hashHex;
    this.#context = context;
    this.#plan = this.#planRoutes();
    this.#admission = new Admission(context, this);
    this.#costs = new RunCosts(context);
    this.#failures = new RouteFailures(context.upstreams, context.key.accountId);
  }

  start(): void {
    const { exchange, inFlight } = this.#context;
    inFlight.add(this);
    exchange.listen(this);
    if (!this.#isOver) this.#admission.start();
  }

  begin(): void {
    const planned = this.#plan.next((route) => this.#enter(route));
    if (planned !== null) this.#launch(planned);
    else if (!this.#answerLocally()) this.refuse(this.#refusal ?? NO_ROUTE);
  }

  open(): void {
    this.#attempt?.openGate();
  }

  waitsAtGate(): void {
    this.#admission.hurry();
  }

  withdraw(): void {
    const attempt = this.#attempt;
    if (attempt !== null && this.#wasAsked) this.#costs.noteWithdrawn(attempt);
    this.#stopAttempt();
    this.#attempt = null;
    if (this.#isDraining) {
      this.#close();
      this.#context.settlement.settleGone({});
    }
    this.#plan = this.#planRoutes();
  }

  passOver(attempt: Attempt, failure: AttemptFailure): boolean {
    // Its retry may need this very slot. The error response that remains otherwise needs none.
    attempt.releasePlace();
    const planned = this.#planAfter(attempt, failure);
    if (planned === null && (this.#isDraining || !this.#answerLocally())) return false;
    attempt.abort();
    if (planned !== null) this.#launch(planned);
    return true;
  }

  failed(attempt: Attempt, failure: AttemptFailure): void {
    const planned = this.#planAfter(attempt, failure);
    if (planned !== null) return this.#launch(planned);
    if (!this.#isDraining && this.#answerLocally()) return;
    this.#close();
    if (this.#isDraining) return this.#costs.settleDrained(attempt, failure);
    const metered = attempt.hasBegun ? attempt.meter() : UNMETERED;
    if (attempt.hasBegun) this.#costs.noteHidden(attempt, metered);
    attempt.answerWith(failure.error, metered);
  }

  answered(attempt: Attempt): void {
    const { upstreams, key } = this.#context;
    if (!attempt.hasFailed) upstreams.breakers.succeed(this.#breakerId(attempt.route), key.accountId);
    this.#close();
  }

  onGone(): void {
    if (this.#isOver || this.#isDraining) return;
    const { drains, key, settlement } = this.#context;
    if (this.#attempt?.isComplete !== true) settlement.noteGone();
    if (this.#attempt !== null && this.#wasAsked && drains.start(this, key.accountId)) {
      this.#isDraining = true;
      this.#attempt.startDrain(() => this.stop());
    } else this.stop();
  }

  /** Ends the request of a disconnected caller; unreported usage is estimated. */
  stop(): void {
    if (this.#isOver) return;
    const attempt = this.#attempt;
    if (attempt?.isComplete === true) return attempt.finish();
    const produced = attempt === null || !this.#wasAsked ? null : this.#costs.produced(attempt);
    this.#stop();
    this.#costs.settleStopped(produced);
  }

  drained(attempt: Attempt): void {
    // A response that is not a stream is finished when it arrives.
    if (attempt.hasBegun && this.#costs.exceedsHold(attempt)) this.stop();
  }

  onDrain(): void {
    this.#attempt?.resume();
  }

  cut(error: GatewayError): void {
    if (this.#isDraining || this.#attempt?.isComplete === true) return this.stop();
    if (this.#isOver) return;
    const attempt = this.#attempt;
    const wasAsked = this.#wasAsked;
    const produced = attempt === null ? null : this.#costs.produced(attempt);
    this.#stop();
    if (wasAsked && attempt?.hasBegun === false) this.#costs.noteDiscarded(produced?.billed.usage ?? null);
    this.#costs.noteUnbilledOutput(produced?.unbilledTokens ?? 0);
    if (attempt === null || produced === null) refuse(this.#context, error);
    else attempt.answerWith(error, produced.billed);
  }

  tick(): void {
    if (this.#attempt === null) return;
    if (this.#isDraining) this.drained(this.#attempt);
    else this.#attempt.tick();
  }

  checkpoint(nowMs: number): void {
    const { settlement } = this.#context;
    // A complete response has its last checkpoint.
    if (this.#attempt === null || this.#attempt.isComplete || !settlement.isCheckpointDue(nowMs)) return;
    const { usage } = this.#attempt.meter();
    if (usage !== null) settlement.checkpointLost(usage);
  }

  /** True while a provider call is running. */
  get #wasAsked(): boolean {
    return this.#attempt !== null && this.#retryTimer === null;
  }

  /** Ends the running attempt without counting it for or against its route. */
  #stop(): void {
    this.#stopAttempt();
    this.#close();
  }

  #stopAttempt(): void {
    this.#clearRetry();
    const attempt = this.#attempt;
    if (attempt === null) return;
    attempt.abort();
    const { upstreams, key } = this.#context;
    upstreams.breakers.release(this.#breakerId(attempt.route), key.accountId);
  }

  /** Starts an attempt on a route. @returns null if the route cannot take the request now */
  #enter(route: Route): Attempt | null {
    const { upstreams, log, key } = this.#context;
    const forwarded = tryForward(this.#context, route);
    if (forwarded === null) return null;
    if (!forwarded.ok) {
      this.#refusal ??= forwarded.error;
      return null;
    }
    const { provider } = route;
    const transport = provider.kind === 'demo' ? upstreams.demo : upstreams.transports.of(provider);
    const place =
      provider.kind === 'demo'
        ? UNLIMITED_PLACE
        : upstreams.concurrency.tryAcquire(provider.id, provider.maxConcurrency, key.accountId);
    if (place === null) {
      this.#refusal ??= BUSY;
      return null;
    }
    if (!upstreams.breakers.tryPass(this.#breakerId(route), key.accountId)) {
      place.release();
      this.#refusal ??= restingError(upstreams.breakers.lastErrorOf(this.#breakerId(route), key.accountId));
      return null;
    }
    const { dropped } = forwarded.value;
    const relay = dropped.length === 0 ? this.#context : { ...this.#context, dropped };
    const isGated = !this.#admission.isOpen;
    return new Attempt({ relay, route, forwarded: forwarded.value, transport, log, place, isGated }, this);
  }

  #launch({ entered, delayMs }: Planned<Attempt>): void {
    this.#attempt = entered;
    this.#context.settlement.noteRoute(entered.route, this.#context.price);
    if (delayMs === 0) return entered.start();
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = null;
      entered.start();
    }, delayMs);
  }

  /** @returns null if the caller has part of the response already, or no route is left */
  #planAfter(attempt: Attempt, failure: AttemptFailure): Planned<Attempt> | null {
    // A refusal chosen as the response is not counted again if it breaks off.
    if (attempt.hasFailed) return null;
    attempt.hasFailed = true;
    const { settlement } = this.#context;
    this.#failures.note(attempt.route, this.#breakerId(attempt.route), failure);
    settlement.noteFailure(attempt, failure);
    // A response that the caller abandoned is billed for what arrived.
    if (attempt.hasBegun || this.#isDraining) return null;
    this.#costs.noteFailed(attempt, failure);
    if (failure.isOwn === true) return null;
    if (failure.isRetryable) this.#plan.noteRetryable(attempt.route, failure.retryAfterMs);
    return this.#plan.next((route) => this.#enter(route));
  }

  /** The gateway answers in place of a provider. @returns false if it cannot */
  #answerLocally(): boolean {
    const { answerLocally: answer } = this.#context.spec;
    if (answer === null) return false;
    void this.#sendLocalAnswer(answer);
    return true;
  }

  async #sendLocalAnswer(answer: NonNullable<EndpointSpec['answerLocally']>): Promise<void> {
    this.#context.settlement.noteNoRoute();
    const give = await answerLocally(this.#context, answer);
    // Meanwhile the caller may have disconnected, or the key may have been revoked.
    if (this.#isOver) return;
    this.#close();
    give();
  }

  #planRoutes(): RoutePlan {
    const { upstreams, routes, key } = this.#context;
    return new RoutePlan(upstreams.cooldowns.order(routes, key.accountId), upstreams.retry);
  }

  #breakerId(route: Route): string {
    return this.#context.spec.breakerId(route);
  }

  refuse(error: GatewayError): void {
    if (this.#isOver) return;
    this.#stop();
    refuse(this.#context, error);
  }

  #close(): void {
    this.#isOver = true;
    this.#attempt = null;
    this.#admission.end();
    this.#clearRetry();
    this.#context.inFlight.remove(this);
    this.#context.drains.end(this);
  }

  #clearRetry(): void {
    if (this.#retryTimer !== null) clearTimeout(this.#retryTimer);
    this.#retryTimer = null;
  }
}
