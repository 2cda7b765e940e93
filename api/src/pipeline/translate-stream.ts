import type { Buffer } from 'node:buffer';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import { NO_USAGE } from '@tollgate/core/money/money';
import type { GatewayError } from '@tollgate/core/errors/errors';
import type { ServedTerms } from '@tollgate/core/money/rates/rate-need';
import { getCodec } from '@tollgate/dialects/codec';
import { CONTENT_START } from '@tollgate/dialects/content-start';
import { needsCarrier } from '@tollgate/dialects/openai-responses/carried/keeps-items';
import type { StreamContext } from '@tollgate/dialects/answer-context';
import type { StreamDecoder, StreamEncoder } from '@tollgate/dialects/stream-codec';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { readServedTerms } from '@tollgate/dialects/served/read-served-terms';
import { ServedScan } from '@tollgate/dialects/served/served-scan';
import { translatingRules } from '@tollgate/dialects/sse/outline-rules';
import { createSseParser, type SseEvent, type SseParser } from '@tollgate/dialects/sse/parse-events';
import { StreamStops } from '@tollgate/dialects/stop-sequences/stream-stops';
import { tokensOfBytes } from '@tollgate/dialects/input-tokens/tokens-of-bytes';
import { UniqueCallIds } from '@tollgate/dialects/unique-call-ids';
import { showUsage } from '@tollgate/dialects/usage/completion-usage';
import { TextMeter } from '@tollgate/dialects/usage/text-meter';
import { mayTellOfTools, ToolTally } from '@tollgate/dialects/usage/tool-tally';
import { getErrorFormat } from '../errors/render-error.ts';
import type { Continuable } from './continuation/continuable.ts';
import { meterAnswer, UNMETERED, type Metered } from './metered.ts';
import { MAX_OPENING_BYTES, refuse, takeTurn, type Relay, type RelayContext, type Taken } from './relay.ts';
import type { Outcome } from './outcome.ts';
import { sendTexts } from './send-texts.ts';
import type { TranslatedRequest } from './translation.ts';
import { failedOutcome, recordedError } from './stored-text.ts';
import { errorInside, redactReported } from './upstream-failure.ts';

/** Usage that is not `null`. */
const HAS_USAGE = /"usage"\s*:\s*\{/;
/** Ticks without output after which the caller gets a ping. */
const QUIET_TICKS = 2;

/** Translates a stream to the caller's dialect, event by event. */
export class StreamTranslation implements Relay {
  readonly #context: RelayContext;
  readonly #parser: SseParser;
  readonly #contentStart: RegExp;
  readonly #decoder: StreamDecoder;
  readonly #encoder: StreamEncoder;
  /** null: the provider ends at the caller's stop sequences itself. */
  readonly #stops: StreamStops | null;
  hasBegun = false;
  readonly isStream = true;
  #hasContent = false;
  onReady?: (() => void) | null;
  #served: ServedTerms | null = null;
  readonly #servedScan = new ServedScan();
  readonly #meter = new TextMeter();
  readonly #tools = new ToolTally();
  /** Bytes written when the provider last reported usage. */
  #bytesReported = 0;
  #piecesReported = 0;
  /** The last measurement; null: an event came since. */
  #measured: Metered | null = null;
  /** True: the last report covered all output up to that point. */
  #isReportFinal = false;
  #callIds: UniqueCallIds | null = null;
  /** Events for the caller before the first content. */
  #opening = '';
  #quietTicks = 0;
  /** True once the written events contain the terminator. */
  #hasEnd = false;
  #isEndKept = false;
  /** The provider's error in the stream. */
  #error: GatewayError | null = null;
  /** Another attempt continues the stream after the error. */
  #isToContinue = false;

  constructor(context: RelayContext, translated: TranslatedRequest) {
    this.#context = context;
    // Only the Responses API repeats the log probabilities of its deltas.
    const hasRepeats = translated.dialect === 'openai-responses';
    this.#parser = createSseParser(translatingRules(() => hasRepeats && this.#meter.pieces > 0));
    this.#contentStart = CONTENT_START[translated.dialect];
    this.#decoder = getCodec(translated.dialect).createStreamDecoder();
    const { stopSequences } = translated;
    this.#stops = stopSequences.length === 0 ? null : new StreamStops(stopSequences);
    const { exchange, request, inputTokens, spec } = context;
    const answer: StreamContext = {
      requestId: exchange.requestId,
      model: translated.upstreamModel,
      nowSeconds: Math.floor(exchange.startedAtMs / 1000),
      estimatedInputTokens: inputTokens,
      wantsStreamUsage: request.wantsStreamUsage,
      requestBody: translated.requestBody,
      carriesItems: needsCarrier(request.itemReferences, exchange.header('user-agent')),
    };
    this.#encoder = getCodec(spec.dialect).createStreamEncoder(answer);
    context.continuation?.begin({ encoder: this.#encoder, context: answer, decoder: this.#decoder });
    // Text that may become a stop sequence is held back.
    if (this.#stops !== null) context.continuation?.giveUp();
  }

  get isComplete(): boolean {
    return this.#hasEnd || (this.#error !== null && this.hasBegun && !this.#isToContinue);
  }

  take(chunk: Buffer): Taken {
    const taken = this.#relay(this.#parser.push(chunk));
    return taken === 'more' && this.#parser.isInLargeEvent
      ? takeTurn(this, this.#context, chunk.length)
      : taken;
  }

  finish(): GatewayError | null {
    if (this.#error === null) this.#relay(this.#parser.finish());
    const texts = this.#error === null ? this.#encode(this.#decoder.finish()) : [];
    if (this.#error !== null && (!this.hasBegun || this.#isToContinue)) return this.#error;
    this.#write(texts);
    const { settlement, exchange } = this.#context;
    settlement.settle(this.#outcome(), () => exchange.end());
    return null;
  }

  fail(error: GatewayError, metered: Metered): void {
    if (!this.hasBegun) return refuse(this.#context, error, metered);
    const { exchange, spec, settlement } = this.#context;
    const event = getErrorFormat(spec.dialect).event(error, exchange.requestId);
    settlement.settle(failedOutcome(error, this.#context, { status: 200, ...metered }), () => {
      exchange.write(event);
      exchange.end();
    });
  }

  conclude(): boolean {
    return this.hasBegun && this.#context.continuation?.conclude(this.meter()) === true;
  }

  startDrain(): void {
    // Nothing to do: writes to a response that has ended are discarded.
  }

  meter(): Metered {
    if (!this.hasBegun && this.#opening === '' && this.#decoder.report === null) return UNMETERED;
    const isFinal = this.#isReportFinal && this.#tokensSinceReport === 0;
    const metered = this.#measure();
    return { ...metered, isFinal, estimated: metered.estimated || !isFinal };
  }

  tick(): void {
    this.#quietTicks += 1;
    if (this.#quietTicks >= QUIET_TICKS) this.#write([this.#encoder.push({ type: 'ping' })]);
  }

  /** Reads the served terms and server tool calls from the events that report them. */
  #readServed({ data }: SseEvent): void {
    const hasToolEvents = mayTellOfTools(data);
    const isChange = this.#servedScan.findChanges(data).length > 0;
    if (!isChange && !hasToolEvents && !HAS_USAGE.test(data)) return;
    const event = parseJsonObject(data) ?? {};
    if (hasToolEvents) this.#tools.readEvent(event);
    this.#served = readServedTerms(event, this.#served);
    this.#context.settlement.noteServed(this.#served);
  }

  #relay(events: readonly SseEvent[]): Taken {
    const texts: string[] = [];
    for (const event of events) {
      this.#measured = null;
      this.#readServed(event);
      this.#encode(this.#decoder.push(event), texts);
      // Nothing after an error is part of the response.
      if (this.#error !== null) break;
    }
    if (this.#meter.pieces > 0) this.#context.settlement.noteFirstText();
    if (!this.hasBegun && this.#error !== null) return this.#error;
    if (!this.hasBegun && !this.#hasContent && !events.some(({ data }) => this.#contentStart.test(data))) {
      this.#opening += texts.join('');
      if (this.#opening.length <= MAX_OPENING_BYTES) return 'more';
      return this.#write([]) ? 'more' : 'wait';
    }
    const hasRoom = (texts.length === 0 && this.hasBegun) || this.#write(texts);
    return this.#error ?? (hasRoom ? 'more' : 'wait');
  }

  /** @param texts to which the written events are added: long ones are not joined, which would copy them */
  #encode(events: readonly CompletionEvent[], texts: string[] = []): string[] {
    const { continuation } = this.#context;
    for (const decoded of events) {
      const event = this.#prepare(decoded);
      // Events after the end are billed, but not sent.
      const isLate = this.#hasEnd || this.#error !== null || (event.type === 'ping' && !this.hasBegun);
      this.#note(event);
      if (isLate || (continuation !== null && this.#isHidden(event, continuation))) continue;
      this.#hasEnd ||= event.type === 'end';
      const estimate = event.type === 'end' ? this.#encodeEstimate() : '';
      const text = estimate + this.#encodeStopped(event);
      if (text !== '') texts.push(text);
    }
    return texts;
  }

  #isHidden(event: CompletionEvent, continuation: Continuable): boolean {
    this.#isToContinue = event.type === 'error' && continuation.mayContinue();
    if (!this.#isToContinue) continuation.noteEvent(event);
    return this.#isToContinue;
  }

  #encodeStopped(event: CompletionEvent): string {
    if (this.#stops === null) return this.#encoder.push(event);
    return this.#stops
      .push(event)
      .map((shown) => this.#encoder.push(shown))
      .join('');
  }

  #prepare(event: CompletionEvent): CompletionEvent {
    if (event.type === 'error') return redactReported(event, this.#context.redact);
    return event.type === 'block_start' ? (this.#callIds ??= new UniqueCallIds()).rename(event) : event;
  }

  #note(event: CompletionEvent): void {
    this.#measured = null;
    switch (event.type) {
      case 'text_delta':
      case 'thinking_delta':
        this.#meter.add(event.text);
        this.#hasContent ||= event.text !== '';
        return;
      case 'arguments_delta':
        this.#meter.add(event.json);
        this.#hasContent ||= event.json !== '';
        return;
      case 'start':
        if (event.usage !== null) this.#noteReport(false);
        return;
      case 'usage':
        this.#noteReport(true);
        return;
      case 'error':
        this.#error = errorInside(event, (text) => text);
        return;
      default:
    }
  }

  #noteReport(isFinal: boolean): void {
    this.#isReportFinal = isFinal;
    if (this.#decoder.report?.hasOutput !== true) return;
    if (isFinal) this.#tools.noteReported();
    this.#bytesReported = this.#meter.bytes;
    this.#piecesReported = this.#meter.pieces;
  }

  get #tokensSinceReport(): number {
    const { bytes, pieces } = this.#meter;
    return Math.max(pieces - this.#piecesReported, tokensOfBytes(bytes - this.#bytesReported));
  }

  /** At the end, estimated usage replaces the reported one. */
  #encodeEstimate(): string {
    const { usage: metered, estimated } = this.#measure();
    if (!estimated) return '';
    const reasoningTokens = this.#decoder.report?.reasoningTokens ?? null;
    const usage = showUsage(metered ?? NO_USAGE, reasoningTokens);
    return this.#encoder.push({ type: 'usage', usage });
  }

  /** The checkpoint at the end and the settlement share one measurement, unless another event comes between them. */
  #measure(): Metered {
    if (this.#measured !== null) return this.#measured;
    const written = {
      outputTokens: Math.max(this.#meter.pieces, this.#meter.tokens),
      leastOutputTokens: this.#meter.leastTokens,
      tokensSinceReport: this.#tokensSinceReport,
      tools: this.#tools,
    };
    this.#measured = meterAnswer(this.#context, this.#decoder.report, written);
    return this.#measured;
  }

  #outcome(): Outcome {
    const metered = this.#error === null ? this.#measure() : this.meter();
    const error = this.#error === null ? null : recordedError(this.#error, this.#context);
    return { status: 200, errorCode: this.#error?.code ?? null, error, ...metered };
  }

  /** @returns false if the caller reads too slowly; also true if the write waits for the end of the turn */
  #write(texts: readonly string[]): boolean {
    this.#quietTicks = 0;
    const { exchange, stream } = this.#context;
    const all = [this.#opening, ...texts];
    this.#opening = '';
    this.hasBegun = true;
    stream.open(this.#context);
    if (!this.#hasEnd) return sendTexts(exchange, all);
    // A caller treats the terminator as the end, even if the connection stays open.
    const { settlement } = this.#context;
    if (!this.#isEndKept) settlement.checkpoint(this.#outcome());
    this.#isEndKept = true;
    let hasRoom = true;
    settlement.whenKept(() => (hasRoom = sendTexts(exchange, all)));
    return hasRoom;
  }
}
