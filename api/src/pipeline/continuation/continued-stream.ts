import type { Buffer } from 'node:buffer';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { GatewayError } from '@tollgate/core/errors/errors';
import type { Dialect } from '@tollgate/core/models/dialect';
import type { SeamRules } from '@tollgate/dialects/continuation/seam';
import { getCodec } from '@tollgate/dialects/codec';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { readServedTerms } from '@tollgate/dialects/served/read-served-terms';
import { translatingRules } from '@tollgate/dialects/sse/outline-rules';
import { createSseParser, type SseEvent, type SseParser } from '@tollgate/dialects/sse/parse-events';
import type { StreamDecoder } from '@tollgate/dialects/stream-codec';
import { StreamStops } from '@tollgate/dialects/stop-sequences/stream-stops';
import { showUsage } from '@tollgate/dialects/usage/completion-usage';
import type { Price } from '../../catalogue/catalogue.ts';
import { getErrorFormat } from '../../errors/render-error.ts';
import type { ContinuedRelay } from '../attempt-context.ts';
import type { Metered } from '../metered.ts';
import type { RelayContext, Taken } from '../relay.ts';
import type { Outcome } from '../outcome.ts';
import { failedOutcome } from '../stored-text.ts';
import { errorInside } from '../upstream-failure.ts';
import type { Continuation } from './continuation.ts';
import { ContinuedMeter } from './continued-meter.ts';
import { JoinedBlocks } from './joined-blocks.ts';

/** Ticks without output after which the caller gets a ping. */
const QUIET_TICKS = 2;
const CONTENT: ReadonlySet<CompletionEvent['type']> = new Set([
  'text_delta',
  'thinking_delta',
  'arguments_delta',
  'finish',
  'end',
]);
const HAS_TERMS = /"(?:usage|model|service_tier|speed)"\s*:/;

export interface ContinuedOptions {
  continuation: Continuation;
  /** Of the provider. */
  dialect: Dialect;
  /** Stop sequences that the gateway applies. */
  stopSequences: readonly string[];
  isPrefilled: boolean;
  seam: SeamRules;
  /** Input that the provider reads in addition to the caller's, in tokens. */
  addedTokens: number;
  price: Price;
  /** How long it may have no content; null: for any time, because no other route is left. */
  silenceMs: number | null;
}

/** Writes the rest of a stream that broke off, from the response of another attempt. */
export class ContinuedStream implements ContinuedRelay {
  readonly #context: RelayContext;
  readonly #options: ContinuedOptions;
  readonly #parser: SseParser;
  readonly #decoder: StreamDecoder;
  readonly #stops: StreamStops | null;
  readonly #blocks: JoinedBlocks;
  readonly #meter: ContinuedMeter;
  readonly #startedAtMs = Date.now();
  readonly hasBegun = true;
  readonly isStream = true;
  isOpen = false;
  #quietTicks = 0;
  #hasEnd = false;
  #hasFinish = false;
  #hasContent = false;
  #isEndKept = false;
  #isCostNoted = false;
  #error: GatewayError | null = null;

  constructor(context: RelayContext, options: ContinuedOptions) {
    const { continuation, dialect, stopSequences, seam, addedTokens } = options;
    this.#context = context;
    this.#options = options;
    this.#parser = createSseParser(translatingRules(() => false));
    this.#decoder = getCodec(dialect).createStreamDecoder();
    this.#stops = stopSequences.length === 0 ? null : new StreamStops(stopSequences);
    const stream = continuation.getStream();
    continuation.adopt({ ...stream, decoder: this.#decoder });
    this.#blocks = new JoinedBlocks(stream.encoder, continuation.soFar, seam);
    this.#meter = new ContinuedMeter(continuation.delivered, { addedTokens, blocks: this.#blocks });
  }

  get isPrefilled(): boolean {
    return this.#options.isPrefilled;
  }

  get isComplete(): boolean {
    return this.#hasEnd;
  }

  open(): void {
    const { continuation } = this.#options;
    this.isOpen = true;
    continuation.continued += 1;
    continuation.getStream().context.continued = continuation.continued;
  }

  isSilent(nowMs: number): boolean {
    const { silenceMs, continuation } = this.#options;
    if (silenceMs === null || this.#hasContent || nowMs - this.#startedAtMs < silenceMs) return false;
    return continuation.mayContinue();
  }

  take(chunk: Buffer): Taken {
    return this.#relay(this.#parser.push(chunk));
  }

  finish(): GatewayError | null {
    const taken = this.#relay(this.#parser.finish());
    if (typeof taken === 'object') return taken;
    const text = this.#encode(this.#decoder.finish());
    if (this.#error !== null) return this.#error;
    this.#write(text);
    this.#settle();
    return null;
  }

  conclude(): boolean {
    if (!this.isOpen || this.#hasEnd) return false;
    const left = this.#findEnding();
    if (left === null) return false;
    this.#error = null;
    this.#write(this.#encode([...left, { type: 'end' }]));
    this.#settle();
    return true;
  }

  #findEnding(): CompletionEvent[] | null {
    if (this.#hasFinish) return [];
    const left = this.#decoder.finish();
    if (left.some(({ type }) => type === 'end')) return left.filter(({ type }) => type !== 'end');
    return this.#options.continuation.findEndOfText(this.meter().visibleTokens);
  }

  fail(error: GatewayError, metered: Metered): void {
    const { exchange, spec, settlement } = this.#context;
    const event = getErrorFormat(spec.dialect).event(error, exchange.requestId);
    settlement.settle(failedOutcome(error, this.#context, { status: 200, ...metered }), () => {
      exchange.write(event);
      exchange.end();
    });
  }

  startDrain(): void {
    // Nothing to do: writes to a response that has ended are discarded.
  }

  release(): void {
    this.#noteCost();
  }

  meter(): Metered {
    return this.#meter.measure(this.#decoder.report);
  }

  tick(): void {
    const rest = this.#blocks.hurry();
    if (rest !== '') this.#write(rest);
    this.#quietTicks += 1;
    if (this.#quietTicks >= QUIET_TICKS) this.#write(this.#blocks.ping());
  }

  #relay(events: readonly SseEvent[]): Taken {
    let text = '';
    for (const event of events) {
      this.#readServed(event);
      text += this.#encode(this.#decoder.push(event));
      if (this.#error !== null) break;
    }
    const hasRoom = text === '' || this.#write(text);
    if (this.#error !== null) return this.#error;
    return hasRoom ? 'more' : 'wait';
  }

  #readServed({ data }: SseEvent): void {
    if (!HAS_TERMS.test(data)) return;
    const { settlement } = this.#context;
    settlement.noteServed(readServedTerms(parseJsonObject(data) ?? {}, settlement.served.terms));
  }

  #encode(events: readonly CompletionEvent[]): string {
    let text = '';
    for (const event of events) {
      this.#meter.note(event, this.#decoder.report);
      this.#hasContent ||= CONTENT.has(event.type);
      if (this.#hasEnd || this.#error !== null) continue;
      const shown = this.#stops === null ? [event] : this.#stops.push(event);
      for (const each of shown) text += this.#encodeOne(each);
    }
    return text;
  }

  #encodeOne(event: CompletionEvent): string {
    if (event.type === 'error') {
      this.#error = errorInside(event, this.#context.redact);
      return '';
    }
    if (event.type === 'end') {
      this.#hasEnd = true;
      return this.#blocks.end(showUsage(this.#meter.measure(this.#decoder.report).usage, null));
    }
    this.#hasFinish ||= event.type === 'finish';
    const text = this.#blocks.push(event);
    this.#error = this.#blocks.error;
    return text;
  }

  #outcome(): Outcome {
    return { status: 200, errorCode: null, ...this.meter() };
  }

  #settle(): void {
    const { settlement, exchange } = this.#context;
    this.#noteCost();
    settlement.attempts.isContinued = true;
    settlement.settle(this.#outcome(), () => exchange.end());
  }

  /** The provider has read the request and the response so far: only the caller's part of the output is billed. */
  #noteCost(): void {
    if (this.#isCostNoted || !this.isOpen) return;
    this.#isCostNoted = true;
    this.#context.settlement.noteUnbilled(
      this.#meter.split(this.#decoder.report).unbilled,
      this.#options.price,
    );
  }

  /** @returns false if the caller reads too slowly; also true if the write waits for the end of the turn */
  #write(text: string): boolean {
    this.#quietTicks = 0;
    const { exchange, settlement } = this.#context;
    if (!this.#hasEnd) return exchange.write(text);
    // A caller treats the terminator as the end, even if the connection stays open.
    if (!this.#isEndKept) {
      this.#noteCost();
      settlement.attempts.isContinued = true;
      settlement.checkpoint(this.#outcome());
    }
    this.#isEndKept = true;
    let hasRoom = true;
    settlement.whenKept(() => (hasRoom = exchange.write(text)));
    return hasRoom;
  }
}
