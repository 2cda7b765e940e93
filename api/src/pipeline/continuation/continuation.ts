import type { CompletionEvent } from '@tollgate/core/completion/events';
import { NO_USAGE } from '@tollgate/core/money/money';
import { needsCarrier } from '@tollgate/dialects/openai-responses/carried/keeps-items';
import { resumeEncoder } from '@tollgate/dialects/continuation/resume-encoder';
import { StreamSoFar, type TextMemory } from '@tollgate/dialects/continuation/stream-so-far';
import type { Passage } from '@tollgate/dialects/tap-options';
import { showUsage } from '@tollgate/dialects/usage/completion-usage';
import type { Route } from '../../catalogue/route.ts';
import type { BodyReservation } from '../../request-body/body-budget.ts';
import type { Attempt } from '../attempt.ts';
import { hadNoPlace, type AttemptFailure } from '../attempt-failure.ts';
import type { ExecuteContext } from '../execute-context.ts';
import type { Metered } from '../metered.ts';
import type { RunCosts } from '../run-costs.ts';
import { errorInside } from '../upstream-failure.ts';
import type { BrokenEvents, Continuable, TranslatedStream } from './continuable.ts';
import type { Delivered } from './continued-usage.ts';
import { canBeContinued, MAX_CONTINUED_BODY_BYTES } from './continued-request.ts';
import { WatchedEvents } from './watched-events.ts';

/** A stream is continued at most so often … */
const MAX_CONTINUATIONS = 2;
/** … with at most so many attempts. */
const MAX_ATTEMPTS = 4;
/** The largest response that is kept. */
const MAX_KEPT_BYTES = 256 * 1024;
const BYTES_PER_UNIT = 2;
/** A response of nearly the maximum size may end because of it. */
const NEAR_LIMIT = 0.8;

/** A provider that does not continue messages refuses the request. */
const REFUSALS: ReadonlySet<number | null> = new Set([400, 422]);

/** The attempt that continues a stream. */
interface CurrentAttempt {
  /** The provider has sent the headers of a stream. */
  readonly isOpen: boolean;
  /** It continues a message, without an instruction. */
  readonly isPrefilled: boolean;
}

/** Follows the stream of a request, and continues it with other attempts when it breaks off. */
export class Continuation implements Continuable, TextMemory {
  soFar: StreamSoFar;
  /** The request at the model that is tried. */
  context: ExecuteContext;
  #reservation: BodyReservation | null = null;
  #watched: WatchedEvents | null = null;
  #stream: TranslatedStream | null = null;
  #fits: boolean | null = null;
  /** How often the stream was continued. */
  continued = 0;
  #attempts = 0;
  #current: CurrentAttempt | null = null;
  /** Of the last attempt that was sent. */
  #broken: Route | null = null;
  delivered: Delivered = { usage: NO_USAGE, hasInput: false };
  /** Routes that refuse to continue a message. */
  readonly #refusals = new Set<string>();

  constructor(context: ExecuteContext) {
    this.context = context;
    this.soFar = this.#createSoFar();
  }

  begin(stream: TranslatedStream | null): void {
    this.soFar = this.#createSoFar();
    this.#stream = stream;
    this.#watched = null;
  }

  /** Later events go to the caller like this. */
  adopt(stream: TranslatedStream): void {
    this.#stream = stream;
    this.#watched = null;
  }

  noteEvent(event: CompletionEvent): void {
    this.soFar.push(event);
  }

  giveUp(): void {
    this.soFar.giveUp();
  }

  watch(passed: Passage | readonly Passage[]): BrokenEvents | null {
    const passages = typeof passed === 'string' || 'add' in passed ? [passed] : passed;
    this.#watched ??= new WatchedEvents(this.context.spec.dialect, this.soFar);
    const found = this.#watched.push(passages);
    if (found === null || !this.mayContinue()) return null;
    return { before: found.before, error: errorInside(found.reported, this.context.redact) };
  }

  mayContinue(): boolean {
    if (!this.soFar.isContinuable || this.#watched?.place.isKnown === false) return false;
    if (this.continued >= MAX_CONTINUATIONS || this.#attempts >= MAX_ATTEMPTS) return false;
    return (this.#fits ??= this.#findFit());
  }

  /** True once an attempt has started that continues the stream. */
  get isContinued(): boolean {
    return this.#current !== null;
  }

  /**
   * The stream broke off: records what its caller has received.
   * @returns the route to go on with
   */
  noteBreak(
    attempt: Attempt,
    failure: AttemptFailure,
    costs: RunCosts,
  ): { route: Route; sameFirst: boolean } {
    const { route } = attempt;
    if (!hadNoPlace(failure)) this.#broken = route;
    const metered = attempt.meter();
    const { usage, rawUsage } = metered;
    // A provider's last event may be measured, although it was not complete, so that it was not sent.
    const outputTokens = this.#current === null ? this.soFar.outputTokens : metered.visibleTokens;
    this.delivered = {
      usage: { ...(usage ?? NO_USAGE), extras: undefined, outputTokens },
      hasInput: this.delivered.hasInput || rawUsage !== null,
    };
    const isUnanswered = this.#current?.isOpen === false;
    if (isUnanswered && attempt.wasSent) costs.noteUnanswered(failure);
    const isRefused = isUnanswered && this.#current?.isPrefilled === true && REFUSALS.has(failure.status);
    if (isRefused) this.#refusals.add(route.id);
    return { route: this.#broken ?? route, sameFirst: isRefused };
  }

  /** An attempt to continue the stream starts. */
  noteAttempt(current: CurrentAttempt): void {
    this.#attempts += 1;
    this.#current = current;
  }

  refusesPrefill(route: Route): boolean {
    return this.#refusals.has(route.id);
  }

  /**
   * Ends a stream of which only the end is missing.
   * @param measured what was delivered
   * @returns false if more is missing
   */
  conclude(measured: Metered): boolean {
    const metered = this.#withDelivered(measured);
    const ending = this.#findEnding(metered);
    if (ending === null) return false;
    const { encoder, place } = this.getStream();
    const { usage } = metered;
    const isShown = usage !== null && place?.hasUsage !== true;
    const reported = isShown ? [{ type: 'usage' as const, usage: showUsage(usage, null) }] : [];
    const events = [...ending, ...reported, { type: 'end' as const }];
    const text = events.map((event) => encoder.push(event)).join('');
    const { exchange, settlement } = this.context;
    settlement.settle({ status: 200, errorCode: null, ...metered }, () => {
      exchange.write(text);
      exchange.end();
    });
    return true;
  }

  /**
   * Finds why the model stopped, if its text has ended, and nothing else can follow.
   * @param writtenTokens delivered output
   * @returns null if more may follow
   */
  findEndOfText(writtenTokens: number): CompletionEvent[] | null {
    const { outputLimit, request, translator } = this.context;
    const limit = outputLimit ?? request.maxOutputTokens ?? Infinity;
    if (writtenTokens >= limit) return [{ type: 'finish', choice: 0, reason: { type: 'length' } }];
    const hasTools = (translator.getRequest()?.canonical.tools.length ?? 0) > 0;
    if (this.soFar.openBlock !== null || hasTools || writtenTokens >= limit * NEAR_LIMIT) return null;
    return [{ type: 'finish', choice: 0, reason: { type: 'stop' } }];
  }

  /** How the rest of the stream is written. */
  getStream(): TranslatedStream & { place: WatchedEvents['place'] | null } {
    const place = this.#watched?.place ?? null;
    if (this.#stream !== null) return { ...this.#stream, place };
    const { exchange, request, inputTokens, spec, translator } = this.context;
    const watched = (this.#watched ??= new WatchedEvents(spec.dialect, this.soFar));
    const context = {
      requestId: exchange.requestId,
      model: this.soFar.start?.model ?? request.model,
      nowSeconds: Math.floor(exchange.startedAtMs / 1000),
      estimatedInputTokens: inputTokens,
      wantsStreamUsage: request.wantsStreamUsage,
      requestBody: translator.getRequest()?.requestBody ?? {},
      carriesItems: needsCarrier(request.itemReferences, exchange.header('user-agent')),
    };
    const encoder = resumeEncoder(spec.dialect, context, { place: watched.place, soFar: this.soFar });
    this.#stream = { encoder, context, decoder: watched.decoder };
    return { ...this.#stream, place };
  }

  release(): void {
    this.#reservation?.release();
    this.#reservation = null;
  }

  #createSoFar(): StreamSoFar {
    return new StreamSoFar(this, MAX_KEPT_BYTES / BYTES_PER_UNIT);
  }

  /** Reserves memory for more text. @returns false if there is none */
  reserve(length: number): boolean {
    const { largeAnswers, key } = this.context;
    this.#reservation ??= largeAnswers.budget.open(key.accountId);
    return this.#reservation.grow(length * BYTES_PER_UNIT) === null;
  }

  /** Output that was not reported is what was delivered. */
  #withDelivered(metered: Metered): Metered {
    const { usage, isFinal } = metered;
    if (usage === null || isFinal) return metered;
    return { ...metered, usage: { ...usage, outputTokens: this.soFar.outputTokens } };
  }

  #findFit(): boolean {
    const { request, body, translator } = this.context;
    if (body.length > MAX_CONTINUED_BODY_BYTES) return false;
    const decoded = translator.getRequest();
    return decoded !== null && canBeContinued(request, decoded.canonical);
  }

  /** @returns the events without usage and `end`; null if more is missing */
  #findEnding({ usage }: Metered): CompletionEvent[] | null {
    const { soFar } = this;
    if (!soFar.isContinuable || this.#watched?.place.isKnown === false) return null;
    const decoder = this.#stream?.decoder ?? this.#watched?.decoder;
    const left = soFar.finish === null && this.continued === 0 ? (decoder?.finish() ?? []) : [];
    if (left.some(({ type }) => type === 'end'))
      return left.filter(({ type }) => type !== 'end' && type !== 'usage');
    // An encoder of a translation has written it.
    const isWritten = this.#watched === null;
    if (soFar.finish !== null && isWritten) return [];
    if (soFar.finish !== null) return [{ type: 'finish', choice: 0, reason: soFar.finish }];
    return this.mayContinue() ? this.findEndOfText(usage?.outputTokens ?? 0) : null;
  }
}
