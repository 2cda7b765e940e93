/**
 * The network part of a request: tries the routes in order until one answers, as long as the caller has received nothing.
 * Ensures that every end (answered, failed, cut, abandoned by the caller) settles the request once and leaves nothing running.
 */
import type { GatewayError } from '@tollgate/core/errors/errors';
import type { ExchangeListener } from '../exchange.ts';
import type { EndpointSpec } from '../endpoints.ts';
import { Admission, type AdmissionOwner } from './admission.ts';
import { NO_FIRST_TOKEN, type AttemptFailure } from './attempt-failure.ts';
import type { Attempt, AttemptOwner } from './attempt.ts';
import { Continuation } from './continuation/continuation.ts';
import { dismiss } from './dismiss.ts';
import type { Draining } from './drains.ts';
import type { ExecuteContext } from './execute-context.ts';
import type { RunningCompletion } from './in-flight.ts';
import { hedge } from './hedging.ts';
import type { Metered } from './metered.ts';
import { answerLocally } from './local-answer.ts';
import { toOwnError } from './own-credential-error.ts';
import { refuse } from './relay.ts';
import { RetryTimer } from './retry-timer.ts';
import { RunCosts } from './run-costs.ts';
import { AttemptRoutes } from './attempt-routes.ts';
import type { Planned } from './route-plan.ts';
import { NO_ROUTE } from './upstream-failure.ts';

/** Starts a completion, which runs until it is settled. */
export function execute(context: ExecuteContext): void {
  new CompletionRun(context).start();
}

class CompletionRun implements ExchangeListener, RunningCompletion, AttemptOwner, AdmissionOwner, Draining {
  readonly keyHash: string;
  slot = -1;
  readonly #context: ExecuteContext;
  readonly #admission: Admission;
  #attempt: Attempt | null = null;
  readonly #retry = new RetryTimer();
  readonly #routes: AttemptRoutes;
  #isOver = false;
  /** The caller's response has ended, and the provider's is read on for its usage. */
  #isDraining = false;
  readonly #costs: RunCosts;
  /** null: a stream that breaks off is not continued. */
  readonly #continuation: Continuation | null;

  constructor(context: ExecuteContext) {
    this.keyHash = context.key.hashHex;
    this.#context = context;
    this.#admission = new Admission(context, this);
    this.#costs = new RunCosts(context);
    this.#routes = new AttemptRoutes(context, this, this.#admission);
    this.#continuation = context.continues ? new Continuation(context) : null;
    context.continuation = this.#continuation;
  }

  start(): void {
    const { exchange, inFlight } = this.#context;
    inFlight.add(this);
    exchange.listen(this);
    if (!this.#isOver) this.#admission.start();
  }

  begin(): void {
    const planned = this.#routes.first();
    if (planned !== null) this.#launch(planned);
    else if (!this.#answerLocally()) this.refuse(this.#routes.outlook.getRefusal() ?? NO_ROUTE);
  }

  open(): void {
    this.#attempt?.openGate();
  }

  noteLimits({ route }: Attempt, header: (name: string) => string | null): void {
    this.#routes.noteLimits(route, header);
  }

  waitsAtGate(): void {
    this.#admission.hurry();
  }

  withdraw(): void {
    if (this.#attempt !== null && this.#wasAsked) this.#costs.noteWithdrawn(this.#attempt);
    this.#stopAttempt();
    this.#attempt = null;
    if (this.#isDraining) {
      this.#close();
      this.#context.settlement.settleDisconnected({});
    }
    this.#routes.reset();
  }

  passOver(attempt: Attempt, failure: AttemptFailure): boolean {
    if (!this.#routes.mayPass(attempt, failure)) return false;
    // Its retry may need this very slot. The error response that remains otherwise needs none.
    attempt.releasePlace();
    const planned = this.#planAfter(attempt, failure);
    if (planned === null && (this.#isDraining || !this.#answerLocally())) return false;
    attempt.pass(failure);
    if (planned !== null) this.#launch(planned);
    return true;
  }

  failed(attempt: Attempt, failure: AttemptFailure): void {
    if (!this.#isDraining && attempt.conclude()) return this.answered(attempt);
    const planned = this.#planAfter(attempt, failure);
    if (planned !== null) return this.#launch(planned);
    if (!this.#isDraining && this.#answerLocally()) return;
    this.#close();
    if (this.#isDraining) return this.#costs.settleDrained(attempt, failure);
    const metered = this.#costs.billFailed(attempt);
    attempt.answerWith(toOwnError(attempt.route, this.#routes.outlook.hintAt(attempt, failure)), metered);
  }

  getOtherWaitMs({ route }: Attempt): number | null {
    return this.#routes.outlook.getOtherWaitMs(route);
  }

  answered(attempt: Attempt): void {
    if (!attempt.hasFailed || this.#context.settlement.attempts.isRejected) this.#routes.noteServed(attempt);
    this.#close();
  }

  onDisconnect(): void {
    if (this.#isOver || this.#isDraining) return;
    if (this.#attempt?.isComplete !== true) this.#context.settlement.noteGone();
    if (!this.#tryDrain()) this.stop();
  }

  /** @returns false if the provider's response cannot be read on */
  #tryDrain(): boolean {
    const attempt = this.#wasAsked && this.#context.background?.isCancelled !== true ? this.#attempt : null;
    if (attempt === null || !this.#context.drains.start(this, this.#context.key.accountId)) return false;
    this.#isDraining = true;
    this.#routes.hedging?.cancel();
    attempt.startDrain(() => this.stop());
    return true;
  }

  /** Ends a request whose caller has its end; unreported usage is estimated. */
  stop(): void {
    if (this.#isOver) return;
    if (this.#attempt?.isComplete === true) return this.#attempt.finish();
    const metered = this.#billStopped();
    this.#stop();
    this.#context.settlement.settleDisconnected(metered);
  }

  #billStopped(): Metered {
    return this.#costs.billStopped(this.#wasAsked ? this.#attempt : null);
  }

  drained(attempt: Attempt): void {
    // A response that is not a stream is finished when it arrives.
    if (attempt.hasBegun && this.#costs.exceedsHold(attempt)) this.stop();
  }

  onDrain(): void {
    this.#attempt?.resume();
  }

  cut(error: GatewayError): void {
    // It is already read for its usage: a revocation must not make it cheaper.
    if (this.#isOver || this.#isDraining) return;
    const attempt = this.#attempt;
    if (attempt?.isComplete === true) return this.stop();
    const usage = attempt === null ? null : this.#costs.produced(attempt).billed.usage;
    dismiss(this.#context, error, { hasBegun: attempt?.hasBegun ?? false, usage });
    if (!this.#tryDrain()) this.stop();
  }

  stopWith(error: GatewayError): void {
    if (this.#isDraining || this.#attempt?.isComplete === true) return this.stop();
    if (this.#isOver) return;
    const attempt = this.#attempt;
    // A caller whom the gateway gives nothing pays nothing.
    if (attempt === null || !attempt.hasBegun) {
      if (attempt !== null && this.#wasAsked) this.#costs.noteWithdrawn(attempt);
      return this.refuse(error);
    }
    const metered = this.#billStopped();
    this.#stop();
    attempt.answerWith(error, metered);
  }

  tick(): void {
    if (this.#attempt === null) return;
    if (this.#isDraining) this.drained(this.#attempt);
    else if (this.#attempt.hasBegun) this.#attempt.tick();
    else if (this.#context.request.stream)
      this.#context.stream.tick(this.#context, this.#attempt.isStreaming);
  }

  checkpoint(nowMs: number): void {
    const { settlement, request } = this.#context;
    // A complete response has its last checkpoint.
    if (this.#attempt === null || this.#attempt.isComplete) return;
    if (request.stream && !this.#isDraining) this.#replaceSilent(this.#attempt, nowMs);
    if (!settlement.isCheckpointDue(nowMs)) return;
    this.#costs.checkpointLost(this.#attempt);
  }

  #replaceSilent(attempt: Attempt, nowMs: number): void {
    attempt.endSilence(nowMs);
    hedge(attempt, { nowMs, routes: this.#routes, costs: this.#costs, owner: this });
    const planned = this.#routes.insteadOfSilent(attempt, nowMs);
    if (planned === null) return;
    this.#costs.noteFailed(attempt, NO_FIRST_TOKEN);
    attempt.abort();
    this.#launch(planned);
  }

  preferHedge(): void {
    const entered = this.#routes.hedging?.replace(this.#attempt) ?? null;
    if (entered !== null) this.#launch({ entered, delayMs: 0 });
  }

  /** True while a provider call is running. */
  get #wasAsked(): boolean {
    return this.#attempt !== null && !this.#retry.isWaiting;
  }

  /** Ends the running attempt without counting it for or against its route. */
  #stop(): void {
    this.#stopAttempt();
    this.#close();
  }

  #stopAttempt(): void {
    this.#retry.clear();
    this.#attempt?.abort();
    if (this.#attempt !== null) this.#routes.release(this.#attempt.route);
  }

  #launch({ entered, delayMs }: Planned<Attempt>): void {
    this.#attempt = entered;
    // A fallback model may be tried.
    const { context } = this.#routes;
    this.#costs.context = context;
    if (this.#continuation !== null) this.#continuation.context = context;
    context.settlement.noteRoute(entered.route, context.price, this.#continuation?.isContinued);
    this.#retry.start(delayMs, () => entered.start());
  }

  /** @returns null if the caller has part of the response already, or no route is left */
  #planAfter(attempt: Attempt, failure: AttemptFailure): Planned<Attempt> | null {
    // A refusal chosen as the response is not counted again if it breaks off.
    if (attempt.hasFailed) return null;
    const soonMs = this.#routes.noteFailure(attempt, failure);
    // A response that the caller abandoned is billed for what arrived.
    if (this.#isDraining) return this.#routes.noteStop(attempt, 'caller_gone');
    if (attempt.hasBegun) return this.#planToContinue(attempt, failure);
    this.#costs.noteFailed(attempt, failure);
    if (failure.exceedsLimit === true) return this.#routes.noteStop(attempt, 'gateway_limit');
    return this.#routes.nextAfter(attempt, failure, soonMs);
  }

  /** @returns null if the stream cannot be continued */
  #planToContinue(attempt: Attempt, failure: AttemptFailure): Planned<Attempt> | null {
    if (failure.exceedsLimit === true || this.#continuation?.mayContinue() !== true)
      return this.#routes.noteStop(attempt, 'response_begun');
    return this.#routes.nextToContinue(this.#continuation, { attempt, failure, costs: this.#costs });
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

  refuse(error: GatewayError): void {
    if (this.#isOver) return;
    this.#stop();
    refuse(this.#context, error);
  }

  #close(): void {
    this.#isOver = true;
    this.#attempt = null;
    this.#continuation?.release();
    this.#admission.end();
    this.#retry.clear();
    this.#routes.hedging?.cancel();
    this.#context.inFlight.remove(this);
    this.#context.drains.end(this);
  }
}
