/**
 * The part of a request's road that crosses the network: asks the routes one after the other until one of them answers,
 * as long as the caller has been given nothing, and makes sure that each of the ways it can end (answered, failed, cut by
 * the operator, left by the caller) settles it once and leaves nothing running.
 */
import type { GatewayError } from '@tollgate/core/errors';
import { NO_USAGE } from '@tollgate/core/money';
import type { ProviderTransports } from '@tollgate/upstreams/provider-transports';
import type { ProviderConcurrency } from '@tollgate/upstreams/routing/provider-concurrency';
import type { RetryPolicy } from '@tollgate/upstreams/routing/retry-policy';
import type { RouteBreakers } from '@tollgate/upstreams/routing/route-breakers';
import type { RouteCooldowns } from '@tollgate/upstreams/routing/route-cooldowns';
import type { UpstreamTransport } from '@tollgate/upstreams/transport/transport';
import type { Price } from '../catalogue/catalogue.ts';
import type { Route } from '../catalogue/route.ts';
import type { ExchangeListener } from '../exchange.ts';
import type { Face } from '../faces.ts';
import { Admission, type AdmissionContext, type AdmissionOwner } from './admission.ts';
import type { AttemptFailure } from './attempt-failure.ts';
import { Attempt, type AttemptOwner } from './attempt.ts';
import { forwardTo } from './forwarded-request.ts';
import type { InFlight, RunningCompletion } from './in-flight.ts';
import { answerAlone } from './own-answer.ts';
import { refuse, type RelayContext } from './relay.ts';
import { RoutePlan, type Planned } from './route-plan.ts';
import { BUSY, NOBODY, RESTING } from './upstream-failure.ts';

export interface ExecuteContext extends RelayContext, AdmissionContext {
  price: Price;
  road: UpstreamRoad;
  inFlight: InFlight;
}

/** What all requests to providers share. */
export interface UpstreamRoad {
  transports: ProviderTransports;
  demo: UpstreamTransport;
  retry: RetryPolicy;
  breakers: RouteBreakers;
  cooldowns: RouteCooldowns;
  concurrency: ProviderConcurrency;
}

/** Starts a completion; it goes on by itself until it is settled. */
export function execute(context: ExecuteContext): void {
  new CompletionRun(context).start();
}

class CompletionRun implements ExchangeListener, RunningCompletion, AttemptOwner, AdmissionOwner {
  readonly keyHash: string;
  slot = -1;
  readonly #context: ExecuteContext;
  #plan: RoutePlan;
  readonly #admission: Admission;
  #attempt: Attempt | null = null;
  #retryTimer: ReturnType<typeof setTimeout> | null = null;
  /** The first error of a route that could not be asked. */
  #refusal: GatewayError | null = null;
  /** Breakers that this request has counted as failed: its retries do not count again. */
  readonly #countedFailures = new Set<string>();
  #isOver = false;

  constructor(context: ExecuteContext) {
    this.keyHash = context.key.hashHex;
    this.#context = context;
    this.#plan = this.#planRoutes();
    this.#admission = new Admission(context, this);
  }

  start(): void {
    const { exchange, inFlight } = this.#context;
    inFlight.add(this);
    exchange.listen(this);
    if (!this.#isOver) this.#admission.start();
  }

  /** Asks the first route. */
  begin(): void {
    const planned = this.#plan.next((route) => this.#enter(route));
    if (planned !== null) this.#launch(planned);
    else if (!this.#answerAlone()) this.refuse(this.#refusal ?? NOBODY);
  }

  open(): void {
    this.#attempt?.openGate();
  }

  waitsAtGate(): void {
    this.#admission.hurry();
  }

  withdraw(): void {
    if (this.#wasAsked) this.#noteBurned();
    this.#stopAttempt();
    this.#attempt = null;
    this.#plan = this.#planRoutes();
  }

  passOver(attempt: Attempt, failure: AttemptFailure): boolean {
    const planned = this.#planAfter(attempt, failure);
    if (planned === null && !this.#answerAlone()) return false;
    attempt.abort();
    if (planned !== null) this.#launch(planned);
    return true;
  }

  failed(attempt: Attempt, failure: AttemptFailure): void {
    const planned = this.#planAfter(attempt, failure);
    if (planned !== null) {
      this.#launch(planned);
      return;
    }
    if (this.#answerAlone()) return;
    this.#close();
    attempt.answerWith(failure.error);
  }

  answered(attempt: Attempt): void {
    const { road, key } = this.#context;
    if (!attempt.hasFailed) road.breakers.succeed(this.#breakerId(attempt.route), key.accountId);
    this.#close();
  }

  onGone(): void {
    if (this.#isOver) return;
    const { settlement } = this.#context;
    const wasAsked = this.#wasAsked;
    const metered = this.#stop();
    const usage = metered?.usage ?? null;
    if (wasAsked && usage === null) this.#noteBurned();
    settlement.settleGone(usage, metered?.estimated ?? false);
  }

  onDrain(): void {
    this.#attempt?.resume();
  }

  cut(error: GatewayError): void {
    if (this.#isOver) return;
    this.#stop();
    if (this.#attempt === null) refuse(this.#context, error);
    else this.#attempt.answerWith(error);
  }

  tick(): void {
    this.#attempt?.tick();
  }

  checkpoint(nowMs: number): void {
    const { settlement } = this.#context;
    if (this.#attempt === null || !settlement.isCheckpointDue(nowMs)) return;
    const { usage } = this.#attempt.meter();
    if (usage !== null) settlement.checkpointLost(usage);
  }

  /** True while a provider is being asked. */
  get #wasAsked(): boolean {
    return this.#attempt !== null && this.#retryTimer === null;
  }

  /** Ends what is under way, whose end tells nothing about its route. */
  #stop() {
    const attempt = this.#stopAttempt();
    this.#close();
    return attempt?.meter() ?? null;
  }

  #stopAttempt(): Attempt | null {
    this.#clearRetry();
    const attempt = this.#attempt;
    if (attempt === null) return null;
    attempt.abort();
    const { road, key } = this.#context;
    road.breakers.release(this.#breakerId(attempt.route), key.accountId);
    return attempt;
  }

  /** A provider has read the request, and nobody is billed for it. */
  #noteBurned(): void {
    const { settlement, inputTokens, price } = this.#context;
    settlement.noteBurned({ ...NO_USAGE, inputTokens }, price);
  }

  /** Takes a place at a route. @returns null where it cannot take the request now */
  #enter(route: Route): Attempt | null {
    const { road, log } = this.#context;
    const forwarded = forwardTo(this.#context, route);
    if (forwarded === null) return null;
    if (!forwarded.ok) {
      this.#refusal ??= forwarded.error;
      return null;
    }
    const { provider } = route;
    const leave =
      provider.kind === 'demo' ? NOTHING : road.concurrency.tryAcquire(provider.id, provider.maxConcurrency);
    if (leave === null) {
      this.#refusal ??= BUSY;
      return null;
    }
    if (!road.breakers.tryPass(this.#breakerId(route), this.#context.key.accountId)) {
      leave();
      this.#refusal ??= RESTING;
      return null;
    }
    const transport = provider.kind === 'demo' ? road.demo : road.transports.of(provider);
    const { dropped } = forwarded.value;
    const relay = dropped.length === 0 ? this.#context : { ...this.#context, dropped };
    const isGated = !this.#admission.isOpen;
    return new Attempt({ relay, route, forwarded: forwarded.value, transport, log, leave, isGated }, this);
  }

  #launch({ entered, delayMs }: Planned<Attempt>): void {
    this.#attempt = entered;
    this.#context.settlement.noteRoute(entered.route, this.#context.price);
    if (delayMs === 0) {
      entered.start();
      return;
    }
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = null;
      entered.start();
    }, delayMs);
  }

  /** @returns null where the caller has a part of the answer already, or nobody else is left */
  #planAfter(attempt: Attempt, failure: AttemptFailure): Planned<Attempt> | null {
    // Whose refusal was to be the answer is not counted again where that breaks off.
    if (attempt.hasFailed) return null;
    attempt.hasFailed = true;
    const { settlement } = this.#context;
    this.#noteFailure(attempt.route, failure);
    settlement.noteFailure(attempt, failure);
    if (!attempt.hasBegun && MAY_BE_BILLED.has(failure.outcome)) this.#noteBurned();
    if (attempt.hasBegun) return null;
    if (failure.isRetryable) this.#plan.noteRetryable(attempt.route, failure.retryAfterMs);
    return this.#plan.next((route) => this.#enter(route));
  }

  /** The gateway answers in place of a provider. @returns false where it cannot */
  #answerAlone(): boolean {
    const { answerAlone: answer } = this.#context.face;
    if (answer === null) return false;
    void this.#giveOwnAnswer(answer);
    return true;
  }

  async #giveOwnAnswer(answer: NonNullable<Face['answerAlone']>): Promise<void> {
    this.#context.settlement.noteNoRoute();
    const give = await answerAlone(this.#context, answer);
    // The caller may have left meanwhile, or the key may have been revoked.
    if (this.#isOver) return;
    this.#close();
    give();
  }

  #planRoutes(): RoutePlan {
    const { road, routes, key } = this.#context;
    return new RoutePlan(road.cooldowns.order(routes, key.accountId), road.retry);
  }

  /** Counts a failure with the route's breaker, once for each request. */
  #noteFailure(route: Route, { fault, outcome, status, retryAfterMs }: AttemptFailure): void {
    const { road, key } = this.#context;
    const { accountId } = key;
    const breakerId = this.#breakerId(route);
    if (status === 429) road.cooldowns.start(route.id, accountId, retryAfterMs);
    if (fault === 'none' || this.#countedFailures.has(breakerId)) {
      road.breakers.release(breakerId, accountId);
      return;
    }
    this.#countedFailures.add(breakerId);
    road.breakers.fail(breakerId, { accountId, error: outcome, isUnreachable: fault === 'unreachable' });
  }

  #breakerId(route: Route): string {
    return this.#context.face.breakerId(route);
  }

  refuse(error: GatewayError): void {
    this.#close();
    refuse(this.#context, error);
  }

  #close(): void {
    this.#isOver = true;
    this.#admission.end();
    this.#clearRetry();
    this.#context.inFlight.remove(this);
  }

  #clearRetry(): void {
    if (this.#retryTimer !== null) clearTimeout(this.#retryTimer);
    this.#retryTimer = null;
  }
}

/** How an attempt can end that its provider may have worked for. */
const MAY_BE_BILLED: ReadonlySet<string> = new Set(['timeout', 'cut', 'unreadable']);

const NOTHING = () => undefined;
