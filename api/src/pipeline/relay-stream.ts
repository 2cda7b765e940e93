import { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors';
import { NO_USAGE } from '@tollgate/core/money';
import { StreamTap } from '@tollgate/dialects/stream-tap';
import { errorFaceOf } from '../errors/render-error.ts';
import { setDialectHeaders } from '../errors/send-error.ts';
import { setDroppedParams } from './dropped-params.ts';
import { refuse, type Metered, type Relay, type RelayContext, type Taken } from './relay.ts';
import type { Outcome } from './settlement.ts';
import { BROKEN_STREAM, findOpeningError } from './upstream-failure.ts';

/** Brings a stream event by event, as it comes; a broken end never looks like a clean one. */
export class StreamRelay implements Relay {
  readonly #context: RelayContext;
  readonly #status: number;
  readonly #contentType: string;
  readonly #tap: StreamTap;
  hasBegun = false;

  constructor(context: RelayContext, status: number, contentType: string) {
    this.#context = context;
    this.#status = status;
    this.#contentType = contentType;
    this.#tap = new StreamTap(context.face.streamRules(context.request));
  }

  take(chunk: Buffer): Taken {
    const events = this.#tap.push(chunk);
    if (events === null) return 'more';
    return this.#errorBeforeText(events) ?? this.#relay(events);
  }

  finish(): GatewayError | null {
    const { rest, isClean } = this.#tap.finish();
    if (!isClean) return BROKEN_STREAM;
    if (rest !== null) {
      const error = this.#errorBeforeText(rest);
      if (error !== null) return error;
      this.#relay(rest);
    }
    this.#begin();
    this.#context.settlement.settle(this.#outcome());
    this.#context.exchange.end();
    return null;
  }

  fail(error: GatewayError): void {
    const { exchange, face, settlement } = this.#context;
    if (!this.hasBegun) {
      refuse(this.#context, error);
      return;
    }
    settlement.settle({ status: this.#status, errorCode: error.code, ...this.meter() });
    exchange.write(errorFaceOf(face.dialect).event(error, exchange.requestId));
    exchange.end();
  }

  meter(): Metered {
    if (!this.hasBegun) return { usage: null, estimated: false };
    const known = this.#tap.usage;
    const { inputTokens } = this.#context;
    const untold = this.#tap.estimateOutputTokens();
    const outputTokens = (known?.outputTokens ?? 0) + untold;
    return { usage: { ...(known ?? { ...NO_USAGE, inputTokens }), outputTokens }, estimated: true };
  }

  /** The headers wait for the first event: until then a failure can still be an answer of its own. */
  #begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    const { exchange, face, dropped } = this.#context;
    setDroppedParams(exchange, dropped);
    setDialectHeaders(exchange, face.dialect);
    exchange.start(this.#status, this.#contentType);
  }

  #outcome(): Outcome {
    const errorCode = this.#tap.sawError ? 'upstream_error' : null;
    const metered = this.#tap.usage === null ? this.meter() : { usage: this.#tap.usage, estimated: false };
    return { status: this.#status, errorCode, ...metered };
  }

  #relay(events: string): Taken {
    this.#begin();
    // A caller takes the terminator for the end, whether the connection ends with it or not.
    if (this.#tap.terminated) this.#context.settlement.checkpoint(this.#outcome());
    return this.#context.exchange.writeLatin1(events) ? 'more' : 'wait';
  }

  /** A stream that opens with an error is no answer yet. */
  #errorBeforeText(events: string): GatewayError | null {
    if (this.hasBegun || !this.#tap.sawError) return null;
    return findOpeningError(this.#context.face.dialect, Buffer.from(events, 'latin1'));
  }
}
