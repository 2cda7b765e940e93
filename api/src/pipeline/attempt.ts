import type { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors/errors';
import type {
  UpstreamCall,
  UpstreamFailure,
  UpstreamListener,
} from '@tollgate/upstreams/transport/transport';
import type { Route } from '../catalogue/route.ts';
import { getDialect, type AttemptContext } from './attempt-context.ts';
import {
  failureOfAnswer,
  failureOfConnection,
  failureOfContinued,
  failureOfStatus,
  isCompressed,
  NO_FIRST_TOKEN,
} from './attempt-failure.ts';
import type { AttemptEvents } from './attempt-events.ts';
import { HedgeCall, type HedgeListener } from './hedge-call.ts';
import { isEventStream } from './content-types.ts';
import { isAboutCredentialStatus } from './credential-failure.ts';
import { createRelay } from './create-relay.ts';
import { finishSafely, noteError, takeSafely } from './guard-relay.ts';
import { logFailure, logRefusal } from './log-attempt.ts';
import { MisfitAnswer } from './misfit-answer.ts';
import { PassedRefusal } from './passed-refusal.ts';
import { UNMETERED, type Metered } from './metered.ts';
import { refuse, type Relay } from './relay.ts';
import { SafeMeter } from './safe-meter.ts';
import { getOutcome, UNREADABLE_ANSWER } from './upstream-failure.ts';

export type AttemptOwner = AttemptEvents<Attempt>;

/** One request to one provider. */
export class Attempt implements UpstreamListener {
  readonly #context: AttemptContext;
  readonly #owner: AttemptOwner;
  /** null until the provider has responded. */
  #relay: Relay | null = null;
  #call: UpstreamCall | null = null;
  #isOver = false;
  /** Provider events buffered while the gate is closed; null: it is open. */
  #buffered: (() => void)[] | null;
  #mustWait = false;
  #isDraining = false;
  #meter: SafeMeter | null = null;
  /** Of a refusal whose body says whether it is about the credential of the route. */
  #refusedStatus: number | null = null;
  /** Reads the error response of an attempt that is over, for its record. */
  #passed: PassedRefusal | null = null;
  /** The call of an attempt that is not chosen yet. */
  #hedge: HedgeCall | null = null;
  startedAtMs = 0;
  takesLent = false;
  /** True once it counts as a failure of its route. */
  hasFailed = false;

  constructor(context: AttemptContext, owner: AttemptOwner) {
    this.#context = context;
    this.#owner = owner;
    this.#buffered = context.isGated ? [] : null;
    this.#relay = context.continued;
  }

  get route(): Route {
    return this.#context.route;
  }

  /** True once the caller has received a byte of its response. */
  get hasBegun(): boolean {
    return this.#relay?.hasBegun ?? false;
  }

  /** True while the provider has sent no content of the stream that is expected. */
  get awaitsContent(): boolean {
    if (this.startedAtMs === 0 || this.#buffered !== null) return false;
    return this.#relay === null || (this.isStreaming && !this.hasBegun);
  }

  /** True once the provider has sent the headers of a stream. */
  get isStreaming(): boolean {
    return this.#relay?.isStream === true;
  }

  /** True once the provider has sent its whole response, except perhaps the usage. */
  get isComplete(): boolean {
    return this.#relay?.isComplete ?? false;
  }

  /** False: the provider has certainly received nothing yet. */
  get wasSent(): boolean {
    this.#noteConnected();
    return this.#call?.isSent === true;
  }

  start(): void {
    const hedge = this.#hedge;
    this.#hedge = null;
    if (hedge === null) this.startedAtMs = Date.now();
    this.#context.relay.settlement.noteSent(this.startedAtMs, this.#context.forwarded.reasoning);
    if (hedge === null) this.#call = this.#context.transport.send(this.#context.forwarded.upstream, this);
    else hedge.passTo(this);
  }

  /** Calls the provider, but keeps its response back until `start`. */
  startAhead(listener: HedgeListener): void {
    const { relay, forwarded, transport } = this.#context;
    this.startedAtMs = Date.now();
    this.#hedge = new HedgeCall({ listener, dialect: getDialect(this.#context), spec: relay.spec });
    this.#call = transport.send(forwarded.upstream, this.#hedge);
  }

  /** Opens the gate: buffered and later provider data may go to the caller. */
  openGate(): void {
    const buffered = this.#buffered;
    if (buffered === null) return;
    this.#buffered = null;
    for (const hear of buffered) hear();
    if (!this.#mustWait && (!this.#isOver || this.#passed !== null)) this.#call?.resume();
  }

  onStart(status: number, header: (name: string) => string | null): void {
    if (this.#isOver) return;
    if (this.#buffered !== null) {
      this.#call?.pause(); // Limits the buffer to what has already arrived.
      this.#buffered.push(() => this.onStart(status, header));
      return this.#owner.waitsAtGate();
    }
    if (this.route.isOneOfSeveral) this.#owner.noteLimits(this, header);
    const { relay, continued } = this.#context;
    relay.settlement.noteHeaders(this, header);
    const verdict = relay.spec.judgeStatus(status);
    if (continued !== null) {
      const broken = failureOfContinued({ status, verdict, header });
      if (broken === null) return continued.open();
      this.abort();
      return this.#owner.failed(this, broken);
    }
    const failure = verdict === 'answered' ? null : failureOfStatus(status, verdict, header);
    const isRead = this.route.isOneOfSeveral && isAboutCredentialStatus(status);
    if (failure !== null && !isRead && this.#owner.passOver(this, failure)) return;
    if (isCompressed(header)) return this.#fail(UNREADABLE_ANSWER, 'unreadable', status);
    // A caller that reads a stream would find nothing in a whole response and treat it as empty.
    if (status < 300 && isEventStream(header) !== relay.request.stream)
      return void (this.#relay = new MisfitAnswer(relay, !relay.request.stream, getDialect(this.#context)));
    this.#noteConnected();
    relay.settlement.noteFirstByte();
    if (isRead) this.#refusedStatus = status;
    const responded = { attempt: this, owner: this.#owner, status, header, verdict };
    this.#relay = createRelay(this.#context, responded, isRead ? failure : null);
    this.takesLent = this.#relay.takesLent === true;
    if (this.#isDraining) this.#relay.startDrain();
  }

  onData(chunk: Buffer): void {
    if (this.#isOver) return this.#passed?.add(chunk);
    if (this.#buffered !== null) return void this.#buffered.push(() => this.onData(chunk));
    if (this.#relay === null) return;
    const taken = takeSafely(this.#context, this.#relay, chunk);
    // Only a caller that reads a stream can be slow; other responses wait for their turn.
    if (taken === 'more' || (taken === 'wait' && this.#isDraining && this.hasBegun)) {
      if (this.#isDraining) this.#owner.drained(this);
      return;
    }
    if (taken === 'wait') {
      this.#mustWait = true;
      // Set only here: with this reference in every relay, garbage collection took 11% of the time in place of 3%.
      this.#relay.onReady ??= () => this.resume();
      this.#call?.pause();
    } else if (this.isComplete && this.hasBegun) this.finish();
    else this.#fail(taken, getOutcome(taken), null);
  }

  onEnd(): void {
    if (this.#isOver) return this.#passed?.end();
    if (this.#buffered !== null) return void this.#buffered.push(() => this.onEnd());
    if (this.#relay !== null) this.#conclude(this.#relay);
  }

  /** The response is complete: stops reading and settles. */
  finish(): void {
    if (this.#isOver || this.#relay === null) return;
    this.#conclude(this.#relay);
    this.#call?.abort();
  }

  #conclude(relay: Relay): void {
    const finished = finishSafely(this.#context, () => relay.finish());
    if (finished instanceof Promise) void this.#finishLater(finished);
    else this.#finish(finished);
  }

  onError(failure: UpstreamFailure): void {
    if (this.#isOver) return this.#passed?.end();
    if (this.#buffered !== null) {
      this.#buffered.push(() => this.onError(failure));
      return this.#owner.waitsAtGate();
    }
    logFailure(this.#context, failure);
    if (this.isComplete) return this.finish();
    const refusal = this.#relay?.refusal ?? null;
    if (refusal !== null) return this.#fail(refusal, getOutcome(refusal), null);
    this.#end();
    this.#owner.failed(this, failureOfConnection(failure, this.#call?.connectMs ?? null));
  }

  /** The caller has caught up, or has disconnected. While the gate is closed, nothing more is read. */
  resume(): void {
    this.#mustWait = false;
    if (this.#buffered === null) this.#call?.resume();
  }

  /** Gives its concurrency slot back; the response, an error, may still be relayed. */
  releasePlace(): void {
    this.#context.place.release();
  }

  /** Completes a response that broke off, if only its end is missing. @returns false if more is missing */
  conclude(): boolean {
    return this.#relay?.conclude?.() ?? false;
  }

  /** Ends the attempt without further callbacks. */
  abort(): void {
    if (this.#isOver) return;
    this.#end();
    this.#call?.abort();
  }

  /** Ends the attempt, because another one follows. An error response is read on for the record. */
  pass({ status, isCompressed: isHidden }: ReturnType<typeof failureOfStatus>): void {
    if (this.#relay !== null || status === null || isHidden === true) return this.abort();
    this.#end();
    this.#passed = new PassedRefusal(this.#context, { call: this.#call, status, attempt: this });
  }

  /** Sends the error to the caller, in the stream if one has started; the attempt must be over. */
  answerWith(error: GatewayError, metered: Metered): void {
    if (this.#relay === null) refuse(this.#context.relay, error, metered);
    else this.#relay.fail(error, metered);
  }

  /** Usage of the response so far. */
  meter(): Metered {
    this.#meter ??= new SafeMeter(this.#context);
    return this.#meter.measure(() => this.#relay?.meter() ?? UNMETERED);
  }

  /**
   * The caller's response has ended: reads the provider's only for its usage.
   * @param giveUp ends it when another call needs its place at the provider
   */
  startDrain(giveUp: () => void): void {
    this.#isDraining = true;
    this.#context.place.offer(giveUp);
    this.#relay?.startDrain();
    this.resume();
  }

  tick(): void {
    this.#relay?.tick?.();
  }

  /** Ends it if it is to continue a stream, has sent nothing for too long, and another one may do it. */
  endSilence(nowMs: number): void {
    if (this.#isOver || this.#context.continued?.isSilent(nowMs) !== true) return;
    this.abort();
    this.#owner.failed(this, NO_FIRST_TOKEN);
  }

  /** While a thread reads the response, the caller may disconnect and the request may be cut. */
  async #finishLater(finishing: Promise<() => GatewayError | null>): Promise<void> {
    const give = await finishing.catch((error: unknown) => () => noteError(this.#context, error));
    if (!this.#isOver) this.#finish(finishSafely(this.#context, give));
  }

  #finish(error: GatewayError | null): void {
    if (this.#isOver) return; // Another route was tried instead.
    if (error !== null) return this.#fail(error, getOutcome(error), this.#refusedStatus);
    this.#end();
    this.#owner.answered(this);
  }

  #fail(error: GatewayError, outcome: string, status: number | null): void {
    logRefusal(this.#context);
    this.abort();
    this.#owner.failed(this, failureOfAnswer(error, outcome, status));
  }

  #noteConnected(): void {
    if (this.#hedge === null) this.#context.relay.settlement.noteConnected(this.#call?.connectMs ?? null);
  }

  #end(): void {
    this.#isOver = true;
    this.#relay?.release?.();
    this.#noteConnected();
    this.releasePlace();
  }
}
