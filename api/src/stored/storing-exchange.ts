import { Buffer } from 'node:buffer';
import { STORED_LIMITS } from '@tollgate/core/requests/stored-responses';
import type { Result } from '@tollgate/core/errors/errors';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import type { Exchange, ExchangeListener } from '../exchange.ts';
import type { ReadLimits } from '../request-body/read-limits.ts';
import { markResponse, readResponseEvent, writeResponseEvent, type ResponseEvent } from './response-marks.ts';

const STORED = 'x-tollgate-stored';
const EVENT_END = /\r\n\r\n|\n\n|\r\r/g;

export interface StoringOptions {
  id: string;
  previousResponseId: string | null;
  /** Stores the response; never rejects. @returns false if it is not stored */
  store(response: Buffer): Promise<boolean>;
}

/**
 * An exchange that stores the response before the caller gets its end: with the whole response, it can continue it on any
 * replica. The response says whether it was stored. Streams are held back from their last event on.
 */
export class StoringExchange implements Exchange, ExchangeListener {
  readonly #exchange: Exchange;
  readonly #options: StoringOptions;
  #listener: ExchangeListener | null = null;
  #isStream = false;
  /** The start of an event whose end has not been written yet; bytes as one character each. */
  #rest = '';
  /** What follows while the response is being stored; null: it is not. */
  #held: (() => void)[] | null = null;
  /** The response has ended. */
  #isDecided = false;

  constructor(exchange: Exchange, options: StoringOptions) {
    this.#exchange = exchange;
    this.#options = options;
    exchange.listen(this);
  }

  get requestId(): string {
    return this.#exchange.requestId;
  }

  get startedAtMs(): number {
    return this.#exchange.startedAtMs;
  }

  get method(): string {
    return this.#exchange.method;
  }

  get query(): string {
    return this.#exchange.query;
  }

  get isDisconnected(): boolean {
    return this.#exchange.isDisconnected;
  }

  get response(): Response | Promise<Response> {
    return this.#exchange.response;
  }

  header(name: string): string | null {
    return this.#exchange.header(name);
  }

  get declaredBodyBytes(): number | null {
    return this.#exchange.declaredBodyBytes;
  }

  readBody(limits: ReadLimits): Promise<Result<Buffer>> {
    return this.#exchange.readBody(limits);
  }

  setHeader(name: string, value: string): void {
    if (name !== STORED) this.#exchange.setHeader(name, value);
  }

  send(status: number, contentType: string, body: Buffer | string): void {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    if (status !== 200 || this.isDisconnected || parseJsonObject(bytes.toString('utf8')) === null) {
      this.#exchange.send(status, contentType, body);
      return;
    }
    void this.#sendStored(status, contentType, bytes, () => undefined);
  }

  sendPieces(status: number, contentType: string, pieces: readonly Buffer[], onTaken: () => void): void {
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (size > STORED_LIMITS.maxResponseBytes) {
      this.#exchange.setHeader(STORED, 'false');
      this.#exchange.sendPieces(status, contentType, pieces, onTaken);
      return;
    }
    void this.#sendStored(status, contentType, Buffer.concat(pieces), onTaken);
  }

  start(status: number, contentType: string): void {
    this.#isStream = status === 200;
    if (this.#isStream) this.#exchange.setHeader(STORED, 'true');
    this.#exchange.start(status, contentType);
  }

  write(text: string): boolean {
    return this.writeLatin1(Buffer.from(text).toString('latin1'));
  }

  writeLatin1(bytes: string): boolean {
    if (!this.#isStream) return this.#exchange.writeLatin1(bytes);
    const text = this.#rest + bytes;
    let from = 0;
    let passed = '';
    let hasRoom = true;
    for (const { 0: end, index } of text.matchAll(EVENT_END)) {
      const event = text.slice(from, index + end.length);
      from = index + end.length;
      const read = this.#isDecided ? null : readResponseEvent(event);
      if (read !== null && read.isLast) {
        hasRoom = this.#pass(passed) && hasRoom;
        passed = '';
        this.#held = [];
        void this.#sendLast(read, this.#held);
      } else passed += read === null ? event : writeResponseEvent(read, this.#mark(read.response, true));
    }
    this.#rest = text.slice(from);
    return this.#pass(passed) && hasRoom;
  }

  writePieces(pieces: readonly (Buffer | string)[], onTaken: () => void): boolean {
    const bytes = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
    const hasRoom = this.writeLatin1(Buffer.concat(bytes).toString('latin1'));
    onTaken();
    return hasRoom;
  }

  end(): void {
    const rest = this.#rest;
    this.#rest = '';
    this.#pass(rest);
    if (this.#held === null) this.#exchange.end();
    else this.#held.push(() => this.#exchange.end());
  }

  destroy(): void {
    this.#exchange.destroy();
  }

  listen(listener: ExchangeListener): void {
    this.#listener = listener;
    if (this.isDisconnected) listener.onDisconnect();
  }

  onDisconnect(): void {
    this.#listener?.onDisconnect();
  }

  onDrain(): void {
    this.#listener?.onDrain();
  }

  /** Never rejects. */
  async #sendStored(status: number, contentType: string, bytes: Buffer, onTaken: () => void): Promise<void> {
    const { response, isStored } = await this.#store(bytes);
    this.#exchange.setHeader(STORED, String(isStored));
    this.#exchange.sendPieces(status, contentType, [response], onTaken);
  }

  /** Never rejects. @param held what follows the event */
  async #sendLast(event: ResponseEvent, held: readonly (() => void)[]): Promise<void> {
    const { response } = await this.#store(event.response);
    this.#held = null;
    this.#exchange.writeLatin1(writeResponseEvent(event, response));
    for (const run of held) run();
  }

  /** Never rejects. */
  async #store(bytes: Buffer): Promise<{ response: Buffer; isStored: boolean }> {
    const response = this.#mark(bytes, true);
    this.#isDecided = true;
    const isStored =
      response.length <= STORED_LIMITS.maxResponseBytes && (await this.#options.store(response));
    return { response: isStored ? response : this.#mark(bytes, false), isStored };
  }

  #mark(response: Buffer, isStored: boolean): Buffer {
    const { id, previousResponseId } = this.#options;
    return markResponse(response, { id, previousResponseId, isStored });
  }

  #pass(bytes: string): boolean {
    if (bytes === '') return true;
    if (this.#held === null) return this.#exchange.writeLatin1(bytes);
    this.#held.push(() => void this.#exchange.writeLatin1(bytes));
    return true;
  }
}
