import { Buffer } from 'node:buffer';
import { STORED_LIMITS } from '@tollgate/core/requests/stored-responses';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { EVENT_END } from '@tollgate/dialects/sse/event-end';
import type { Exchange } from '../exchange.ts';
import { ForwardingExchange } from '../forwarding-exchange.ts';
import { AnswerMarker, type MarkerOptions } from './answer-marker.ts';
import {
  mayHaveResponse,
  readResponseEvent,
  writeResponseEvent,
  type ResponseEvent,
} from './response-marks.ts';

export const STORED = 'x-tollgate-stored';
/** What is larger is marked in a thread: 64 KiB take a few milliseconds on the event loop. */
const MAX_ON_LOOP_BYTES = 64 * 1024;

export interface StoringOptions extends MarkerOptions {
  /** Takes the work that must end before the process does; it never rejects. */
  track: (work: Promise<void>) => void;
}

/**
 * An exchange that stores the response before the caller gets its end: with the whole response, it can continue it on any
 * replica. The response says whether it was stored. Streams are held back from their last event on, and while a
 * thread marks a large event.
 */
export class StoringExchange extends ForwardingExchange {
  readonly #marker: AnswerMarker;
  readonly #track: (work: Promise<void>) => void;
  #isStream = false;
  /** The start of an event whose end has not been written yet; bytes as one character each. */
  #rest = '';
  /** What follows while an event is marked or stored, each with whether the caller reads fast enough; null: none is. */
  #held: (() => boolean)[] | null = null;

  constructor(exchange: Exchange, { track, ...options }: StoringOptions) {
    super(exchange);
    this.#marker = new AnswerMarker(options);
    this.#track = track;
    exchange.listen(this);
  }

  override setHeader(name: string, value: string): void {
    if (name !== STORED) this.exchange.setHeader(name, value);
  }

  override send(status: number, contentType: string, body: Buffer | string): void {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    if (status !== 200 || this.isDisconnected || parseJsonObject(bytes.toString('utf8')) === null) {
      this.exchange.send(status, contentType, body);
      return;
    }
    this.#track(this.#sendStored(status, contentType, bytes, () => undefined));
  }

  override sendPieces(
    status: number,
    contentType: string,
    pieces: readonly Buffer[],
    onTaken: () => void,
  ): void {
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (size > STORED_LIMITS.maxResponseBytes) {
      this.exchange.setHeader(STORED, 'false');
      this.exchange.sendPieces(status, contentType, pieces, onTaken);
      return;
    }
    this.#track(this.#sendLarge(status, contentType, pieces, onTaken));
  }

  override start(status: number, contentType: string): void {
    this.#isStream = status === 200;
    if (this.#isStream) this.exchange.setHeader(STORED, 'true');
    this.exchange.start(status, contentType);
  }

  override write(text: string): boolean {
    return this.writeLatin1(Buffer.from(text).toString('latin1'));
  }

  override writeLatin1(bytes: string): boolean {
    if (!this.#isStream) return this.exchange.writeLatin1(bytes);
    return this.#held === null ? this.#write(bytes) : this.#hold(() => this.#write(bytes));
  }

  override writePieces(pieces: readonly (Buffer | string)[], onTaken: () => void): boolean {
    if (!this.#isStream) return this.exchange.writePieces(pieces, onTaken);
    return this.#held === null
      ? this.#writePieces(pieces, onTaken)
      : this.#hold(() => this.#writePieces(pieces, onTaken));
  }

  override end(): void {
    if (this.#held !== null) {
      this.#hold(() => this.#end());
      return;
    }
    this.#end();
  }

  #hold(run: () => boolean): boolean {
    this.#held?.push(run);
    return false;
  }

  #write(bytes: string): boolean {
    const text = this.#rest + bytes;
    this.#rest = '';
    if (this.#marker.isDecided) return this.#pass(text);
    let from = 0;
    let passed = '';
    for (const { 0: end, index } of text.matchAll(EVENT_END)) {
      const event = text.slice(from, index + end.length);
      from = index + end.length;
      const isLarge = event.length > MAX_ON_LOOP_BYTES && mayHaveResponse(event);
      const read = isLarge ? null : readResponseEvent(event);
      if (!isLarge && read?.isLast !== true) {
        passed += read === null ? event : writeResponseEvent(read, this.#marker.mark(read.response, true));
        continue;
      }
      this.#pass(passed);
      const rest = text.slice(from);
      this.#held = [];
      if (rest !== '') this.#hold(() => this.#write(rest));
      const sending =
        read === null
          ? this.#sendLargeEvent(
              Buffer.from(event, 'latin1'),
              [Buffer.from(event, 'latin1')],
              () => undefined,
            )
          : this.#sendLast(read);
      this.#track(sending);
      return false;
    }
    this.#rest = text.slice(from);
    return this.#pass(passed);
  }

  /** @param pieces one large event of a provider, or as text any number of events that the gateway wrote */
  #writePieces(pieces: readonly (Buffer | string)[], onTaken: () => void): boolean {
    const event = Buffer.concat(
      pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
    );
    if (pieces.some((piece) => typeof piece === 'string')) {
      onTaken();
      return this.#write(event.toString('latin1'));
    }
    if (this.#marker.isDecided || !mayHaveResponse(event)) {
      const rest = this.#rest;
      this.#rest = '';
      this.#pass(rest);
      return this.exchange.writePieces(pieces, onTaken);
    }
    this.#held = [];
    this.#track(this.#sendLargeEvent(event, pieces, onTaken));
    return false;
  }

  #end(): boolean {
    this.#pass(this.#rest);
    this.#rest = '';
    this.exchange.end();
    return true;
  }

  #pass(bytes: string): boolean {
    if (bytes.length > MAX_ON_LOOP_BYTES)
      return this.exchange.writePieces([Buffer.from(bytes, 'latin1')], () => undefined);
    return bytes === '' || this.exchange.writeLatin1(bytes);
  }

  /** Writes what was held. @param hasRoom whether the caller reads fast enough */
  #resume(hasRoom: boolean): void {
    const held = this.#held ?? [];
    this.#held = null;
    let isReading = hasRoom;
    for (const [at, run] of held.entries()) {
      isReading = run();
      // Another event is marked or stored.
      if (this.#isHolding()) {
        for (const next of held.slice(at + 1)) this.#hold(next);
        return;
      }
    }
    if (isReading) this.onDrain();
  }

  #isHolding(): boolean {
    return this.#held !== null;
  }

  /** Never rejects. */
  async #sendStored(status: number, contentType: string, bytes: Buffer, onTaken: () => void): Promise<void> {
    const { response, isStored } = await this.#marker.store(bytes);
    this.exchange.setHeader(STORED, String(isStored));
    this.exchange.sendPieces(status, contentType, [response], onTaken);
  }

  /** The same for a response too large for the event loop. */
  async #sendLarge(
    status: number,
    contentType: string,
    pieces: readonly Buffer[],
    onTaken: () => void,
  ): Promise<void> {
    const { sent, isStored, release } = await this.#marker.storeLarge(Buffer.concat(pieces), false);
    this.exchange.setHeader(STORED, String(isStored));
    this.exchange.sendPieces(status, contentType, sent ?? pieces, () => {
      release();
      onTaken();
    });
  }

  /** Never rejects. */
  async #sendLast(event: ResponseEvent): Promise<void> {
    const { response } = await this.#marker.store(event.response);
    this.#resume(this.exchange.writeLatin1(writeResponseEvent(event, response)));
  }

  /** Never rejects. @param pieces the event as it came */
  async #sendLargeEvent(
    event: Buffer,
    pieces: readonly (Buffer | string)[],
    onTaken: () => void,
  ): Promise<void> {
    const rest = this.#rest;
    this.#rest = '';
    this.#pass(rest);
    const { sent, release } = await this.#marker.storeLarge(event, true);
    const hasRoom = this.exchange.writePieces(sent ?? pieces, () => {
      release();
      onTaken();
    });
    this.#resume(hasRoom);
  }
}
