import { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors/errors';
import type { Exchange, ExchangeListener } from '../exchange.ts';
import type { ReadLimits } from '../request-body/read-limits.ts';
import type { Recording } from './recording.ts';

/** An exchange that logs the response body. Each piece is sent before it is recorded. */
export class RecordedExchange implements Exchange, ExchangeListener {
  readonly #exchange: Exchange;
  readonly #recording: Recording;
  #listener: ExchangeListener | null = null;

  constructor(exchange: Exchange, recording: Recording) {
    this.#exchange = exchange;
    this.#recording = recording;
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
    this.#exchange.setHeader(name, value);
  }

  send(status: number, contentType: string, body: Buffer | string): void {
    const { isDisconnected } = this;
    this.#exchange.send(status, contentType, body);
    if (!isDisconnected) this.#recording.add(typeof body === 'string' ? Buffer.from(body) : body);
    this.#recording.finish();
  }

  sendPieces(status: number, contentType: string, pieces: readonly Buffer[], onTaken: () => void): void {
    // Sending may empty the pieces.
    if (!this.isDisconnected) for (const piece of pieces) this.#recording.add(piece);
    this.#exchange.sendPieces(status, contentType, pieces, onTaken);
    this.#recording.finish();
  }

  start(status: number, contentType: string): void {
    this.#exchange.start(status, contentType);
  }

  write(text: string): boolean {
    return this.writeLatin1(Buffer.from(text).toString('latin1'));
  }

  writeLatin1(bytes: string): boolean {
    const hasRoom = this.#exchange.writeLatin1(bytes);
    if (!this.isDisconnected) this.#recording.addLatin1(bytes);
    return hasRoom;
  }

  writePieces(pieces: readonly (Buffer | string)[], onTaken: () => void): boolean {
    if (!this.isDisconnected)
      for (const piece of pieces)
        if (typeof piece === 'string') this.#recording.addText(piece);
        else this.#recording.add(piece);
    return this.#exchange.writePieces(pieces, onTaken);
  }

  end(): void {
    this.#exchange.end();
    this.#recording.finish();
  }

  destroy(): void {
    this.#exchange.destroy();
    this.#recording.finish();
  }

  listen(listener: ExchangeListener): void {
    this.#listener = listener;
    if (this.isDisconnected) listener.onDisconnect();
  }

  onDisconnect(): void {
    this.#recording.finish();
    this.#listener?.onDisconnect();
  }

  onDrain(): void {
    this.#listener?.onDrain();
  }
}
