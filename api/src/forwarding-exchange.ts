import type { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors/errors';
import type { Exchange, ExchangeListener } from './exchange.ts';
import type { ReadLimits } from './request-body/read-limits.ts';

/**
 * An exchange that passes everything on to another one; subclasses change what they need to. They listen to it when they are
 * ready: it may have been left already.
 */
export abstract class ForwardingExchange implements Exchange, ExchangeListener {
  protected readonly exchange: Exchange;
  #listener: ExchangeListener | null = null;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  get requestId(): string {
    return this.exchange.requestId;
  }

  get startedAtMs(): number {
    return this.exchange.startedAtMs;
  }

  get method(): string {
    return this.exchange.method;
  }

  get query(): string {
    return this.exchange.query;
  }

  get isDisconnected(): boolean {
    return this.exchange.isDisconnected;
  }

  get response(): Response | Promise<Response> {
    return this.exchange.response;
  }

  get continuedResponseId(): string | null {
    return this.exchange.continuedResponseId;
  }

  get declaredBodyBytes(): number | null {
    return this.exchange.declaredBodyBytes;
  }

  header(name: string): string | null {
    return this.exchange.header(name);
  }

  readBody(limits: ReadLimits): Result<Buffer> | Promise<Result<Buffer>> {
    return this.exchange.readBody(limits);
  }

  setHeader(name: string, value: string): void {
    this.exchange.setHeader(name, value);
  }

  send(status: number, contentType: string, body: Buffer | string): void {
    this.exchange.send(status, contentType, body);
  }

  sendPieces(status: number, contentType: string, pieces: readonly Buffer[], onTaken: () => void): void {
    this.exchange.sendPieces(status, contentType, pieces, onTaken);
  }

  start(status: number, contentType: string): void {
    this.exchange.start(status, contentType);
  }

  write(text: string): boolean {
    return this.exchange.write(text);
  }

  writeLatin1(bytes: string): boolean {
    return this.exchange.writeLatin1(bytes);
  }

  writePieces(pieces: readonly (Buffer | string)[], onTaken: () => void): boolean {
    return this.exchange.writePieces(pieces, onTaken);
  }

  end(): void {
    this.exchange.end();
  }

  destroy(): void {
    this.exchange.destroy();
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
}
