import { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors/errors';
import { StreamTap } from '@tollgate/dialects/stream-tap';
import { errorFormatOf } from '../errors/render-error.ts';
import { setDialectHeaders } from '../errors/send-error.ts';
import { EVENT_STREAM_TYPE } from './content-types.ts';
import { setDroppedParams } from './dropped-params.ts';
import { meterAnswer, UNMETERED, type Metered } from './metered.ts';
import { refuse, type Relay, type RelayContext, type Taken } from './relay.ts';
import type { Outcome } from './settlement.ts';
import { BROKEN_STREAM, findOpeningError } from './upstream-failure.ts';

/** More than any dialect sends before the first word. */
const MAX_OPENING_BYTES = 64 * 1024;

/**
 * Relays a stream event by event; a broken end never looks like a clean one. Events before the first word are buffered at
 * most until the next tick, so that the request can still fail over to another route.
 */
export class StreamRelay implements Relay {
  readonly #context: RelayContext;
  readonly #status: number;
  readonly #tap: StreamTap;
  /** Events buffered before the first word. */
  #opening = '';
  /** The terminator was sent. */
  #hasEnded = false;
  hasBegun = false;

  constructor(context: RelayContext, status: number) {
    this.#context = context;
    this.#status = status;
    this.#tap = new StreamTap(context.spec.streamRules(context.request), context.redact);
  }

  get isComplete(): boolean {
    return this.#tap.terminated;
  }

  take(chunk: Buffer): Taken {
    const events = this.#tap.push(chunk);
    this.#context.settlement.noteServed(this.#tap.served);
    if (events === null) return 'more';
    return this.hasBegun ? this.#write(events) : this.#open(events);
  }

  finish(): GatewayError | null {
    const { rest, isClean } = this.#tap.finish();
    this.#context.settlement.noteServed(this.#tap.served);
    if (!isClean) return BROKEN_STREAM;
    if (this.hasBegun) this.#write(rest ?? '');
    else {
      this.#opening += rest ?? '';
      const error = this.#findError(true);
      if (error !== null) return error;
      this.#begin();
    }
    const { settlement, exchange } = this.#context;
    settlement.settle(this.#outcome(), () => exchange.end());
    return null;
  }

  fail(error: GatewayError, metered: Metered): void {
    const { exchange, spec, settlement } = this.#context;
    if (!this.hasBegun) {
      refuse(this.#context, error);
      return;
    }
    const event = errorFormatOf(spec.dialect).event(error, exchange.requestId);
    settlement.settle({ status: this.#status, errorCode: error.code, ...metered }, () => {
      exchange.write(event);
      exchange.end();
    });
  }

  startDrain(): void {
    // Nothing to do: writes to a disconnected caller are discarded.
  }

  meter(): Metered {
    if (!this.hasBegun && this.#opening === '') return UNMETERED;
    const { isReportFinal } = this.#tap;
    const metered = this.#measure();
    return { ...metered, isFinal: isReportFinal, estimated: metered.estimated || !isReportFinal };
  }

  tick(): void {
    if (!this.hasBegun && this.#opening !== '') this.#begin();
  }

  #measure(): Metered {
    const { report, outputTokens, tokensSinceReport, meter, tools } = this.#tap;
    const written = { outputTokens, leastOutputTokens: meter.leastTokens, tokensSinceReport, tools };
    return meterAnswer(this.#context, report, written);
  }

  #open(events: string): Taken {
    this.#opening += events;
    const hasWords = this.#tap.meter.pieces > 0;
    if (this.#tap.sawError || (this.#tap.terminated && !hasWords)) {
      const error = this.#findError(this.#tap.terminated);
      if (error !== null) return error;
    } else if (!hasWords && this.#opening.length <= MAX_OPENING_BYTES) return 'more';
    return this.#begin() ? 'more' : 'wait';
  }

  /** Sends the headers and buffered events. @returns false if the caller reads too slowly */
  #begin(): boolean {
    const { exchange, spec, dropped } = this.#context;
    this.hasBegun = true;
    setDroppedParams(exchange, dropped);
    setDialectHeaders(exchange, spec.dialect);
    exchange.start(this.#status, EVENT_STREAM_TYPE);
    const opening = this.#opening;
    this.#opening = '';
    return this.#send(opening);
  }

  #outcome(): Outcome {
    const errorCode = this.#tap.sawError ? 'upstream_error' : null;
    return { status: this.#status, errorCode, ...this.#measure() };
  }

  #write(events: string): Taken {
    return this.#send(events) ? 'more' : 'wait';
  }

  /** @returns false if the caller reads too slowly; also true if the write waits for the end of the turn */
  #send(events: string): boolean {
    const { exchange, settlement } = this.#context;
    if (!this.#tap.terminated) return exchange.writeLatin1(events);
    // A caller treats the terminator as the end, even if the connection stays open.
    if (!this.#hasEnded) settlement.checkpoint(this.#outcome());
    this.#hasEnded = true;
    let hasRoom = true;
    settlement.whenKept(() => (hasRoom = exchange.writeLatin1(events)));
    return hasRoom;
  }

  #findError(isOver: boolean): GatewayError | null {
    const { spec, redact } = this.#context;
    return findOpeningError(spec.dialect, Buffer.from(this.#opening, 'latin1'), { isOver, redact });
  }
}
