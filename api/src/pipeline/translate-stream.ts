import type { Buffer } from 'node:buffer';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionUsage } from '@tollgate/core/completion/response';
import type { GatewayError } from '@tollgate/core/errors';
import { codecOf } from '@tollgate/dialects/codec';
import type { StreamDecoder, StreamEncoder } from '@tollgate/dialects/stream-codec';
import { createSseParser, type SseEvent } from '@tollgate/dialects/sse/parse-events';
import { tokensOfBytes } from '@tollgate/dialects/input-tokens/tokens-of-bytes';
import { errorFaceOf } from '../errors/render-error.ts';
import { setDialectHeaders } from '../errors/send-error.ts';
import { refuse, type Metered, type Relay, type RelayContext, type Taken } from './relay.ts';
import { setDroppedParams } from './dropped-params.ts';
import type { Outcome } from './settlement.ts';
import type { TranslatedRequest } from './translation.ts';
import { errorOfKind } from './upstream-failure.ts';

const CONTENT_TYPE = 'text/event-stream; charset=utf-8';
/** Ticks without a word after which the caller gets a ping. */
const QUIET_TICKS = 2;

/** Brings a stream in another dialect than the provider's, event by event, as it comes. */
export class StreamTranslation implements Relay {
  readonly #context: RelayContext;
  readonly #parser = createSseParser();
  readonly #decoder: StreamDecoder;
  readonly #encoder: StreamEncoder;
  hasBegun = false;
  #usage: CompletionUsage | null = null;
  #textBytes = 0;
  #deltas = 0;
  #quietTicks = 0;
  /** True once what is written contains the terminator. */
  #hasEnd = false;
  /** Of the provider, in the stream. */
  #error: GatewayError | null = null;

  constructor(context: RelayContext, translated: TranslatedRequest) {
    this.#context = context;
    this.#decoder = codecOf(translated.dialect).createStreamDecoder();
    const { exchange, request, inputTokens, face } = context;
    this.#encoder = codecOf(face.dialect).createStreamEncoder({
      requestId: exchange.requestId,
      model: request.model,
      nowSeconds: Math.floor(exchange.startedAtMs / 1000),
      estimatedInputTokens: inputTokens,
      wantsStreamUsage: request.wantsStreamUsage,
      requestBody: translated.requestBody,
    });
  }

  take(chunk: Buffer): Taken {
    return this.#relay(this.#parser.push(chunk));
  }

  finish(): GatewayError | null {
    const taken = this.#relay(this.#parser.finish());
    if (typeof taken === 'object') return taken;
    const text = this.#encode(this.#decoder.finish());
    if (this.#error !== null && !this.hasBegun) return this.#error;
    this.#write(text);
    const { settlement, exchange } = this.#context;
    settlement.settle(this.#outcome());
    exchange.end();
    return null;
  }

  fail(error: GatewayError): void {
    if (!this.hasBegun) {
      refuse(this.#context, error);
      return;
    }
    const { exchange, face, settlement } = this.#context;
    settlement.settle({ status: 200, errorCode: error.code, ...this.meter() });
    exchange.write(errorFaceOf(face.dialect).event(error, exchange.requestId));
    exchange.end();
  }

  meter(): Metered {
    return this.hasBegun ? { usage: this.#estimate(), estimated: true } : { usage: null, estimated: false };
  }

  tick(): void {
    this.#quietTicks += 1;
    if (this.#quietTicks >= QUIET_TICKS) this.#write(this.#encoder.push({ type: 'ping' }));
  }

  #relay(events: readonly SseEvent[]): Taken {
    let text = '';
    for (const event of events) text += this.#encode(this.#decoder.push(event));
    if (this.#error !== null && !this.hasBegun) return this.#error;
    return text === '' || this.#write(text) ? 'more' : 'wait';
  }

  #encode(events: readonly CompletionEvent[]): string {
    let text = '';
    for (const decoded of events) {
      const event =
        decoded.type === 'error' ? { ...decoded, message: this.#context.redact(decoded.message) } : decoded;
      this.#note(event);
      this.#hasEnd ||= event.type === 'end';
      if (event.type === 'end' && this.#usage === null)
        text += this.#encoder.push({ type: 'usage', usage: this.#estimate() });
      text += this.#encoder.push(event);
    }
    return text;
  }

  #note(event: CompletionEvent): void {
    switch (event.type) {
      case 'text_delta':
      case 'thinking_delta':
        this.#count(event.text);
        return;
      case 'arguments_delta':
        this.#count(event.json);
        return;
      case 'start':
      case 'usage':
        if (event.usage !== null) this.#noteUsage(event.usage);
        return;
      case 'error':
        this.#error = errorOfKind(event.kind, event.message);
        return;
      default:
    }
  }

  #noteUsage(usage: CompletionUsage): void {
    this.#usage = usage;
    this.#textBytes = 0;
    this.#deltas = 0;
  }

  /** What is written since the provider last told usage. */
  #count(text: string): void {
    this.#textBytes += text.length;
    if (text !== '') this.#deltas += 1;
  }

  /** What the provider told, and where it has not, what can be counted. */
  #estimate(): CompletionUsage {
    const counted = Math.max(this.#deltas, tokensOfBytes(this.#textBytes));
    const known = this.#usage;
    if (known !== null) return { ...known, outputTokens: known.outputTokens + counted };
    return {
      inputTokens: this.#context.inputTokens,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: counted,
      reasoningTokens: null,
      cacheWrite1hTokens: 0,
    };
  }

  #outcome(): Outcome {
    const isKnown = this.#usage !== null && this.#error === null;
    const metered = isKnown ? { usage: this.#usage, estimated: false } : this.meter();
    return { status: 200, errorCode: this.#error?.code ?? null, ...metered };
  }

  #write(text: string): boolean {
    this.#quietTicks = 0;
    const { exchange, face } = this.#context;
    if (!this.hasBegun) {
      this.hasBegun = true;
      setDroppedParams(exchange, this.#context.dropped);
      setDialectHeaders(exchange, face.dialect);
      exchange.start(200, CONTENT_TYPE);
    }
    // A caller takes the terminator for the end, whether the connection ends with it or not.
    if (this.#hasEnd) this.#context.settlement.checkpoint(this.#outcome());
    return exchange.write(text);
  }
}
