import { Buffer } from 'node:buffer';
import { deny, type GatewayError, type Result } from '@tollgate/core/errors/errors';
import { createId } from '@tollgate/core/runtime/ids';
import type { Exchange, ExchangeListener } from '../exchange.ts';
import { BodyCollector } from '../request-body/body-collector.ts';
import { BROKEN_BODY, type ReadLimits } from '../request-body/read-limits.ts';
import { isHeaderValue } from './header-value.ts';
import { pullPieces } from './pull-pieces.ts';
import { getLength, shiftPiece, type Piece } from './split-pieces.ts';
import { watchSending } from './watch-sending.ts';
import { WRITE_STALL_MS } from './write-stall.ts';
import { watchPace } from '../request-body/watch-pace.ts';

/** Bytes buffered for a slow caller before `write` returns false. */
const HIGH_WATER_BYTES = 64 * 1024;

/** The web-standard path, for Deno, Bun and other runtimes that take `app.fetch`. */
export class WebExchange implements Exchange {
  readonly continuedResponseId = null;
  readonly requestId: string;
  readonly startedAtMs = Date.now();
  readonly response: Promise<Response>;
  readonly #request: Request;
  readonly #headers = new Headers();
  readonly #answer: (response: Response) => void;
  #body: ReadableStreamDefaultController<Uint8Array> | null = null;
  #listener: ExchangeListener | null = null;
  /** The unsent rest of a large part of a stream, and what is written next; functions are called. */
  #pieces: Piece[] = [];
  #sentBytes = 0;
  #stopWatch: (() => void) | null = null;
  #isEnded = false;
  #isClosed = false;

  constructor(request: Request) {
    this.requestId = createId('req', this.startedAtMs);
    this.#request = request;
    this.#headers.set('x-request-id', this.requestId);
    const { promise, resolve } = Promise.withResolvers<Response>();
    this.response = promise;
    this.#answer = resolve;
    request.signal.addEventListener('abort', () => this.#leave(), { once: true });
  }

  get isDisconnected(): boolean {
    return this.#isClosed || this.#isEnded;
  }

  get method(): string {
    return this.#request.method;
  }

  get query(): string {
    return new URL(this.#request.url).search;
  }

  header(name: string): string | null {
    return this.#request.headers.get(name);
  }

  get declaredBodyBytes(): number | null {
    const length = this.header('content-length');
    if (length !== null) return Number(length);
    return this.#request.body === null ? 0 : null;
  }

  async readBody(limits: ReadLimits): Promise<Result<Buffer>> {
    const collector = new BodyCollector(this.declaredBodyBytes, limits);
    const refused = collector.start();
    if (refused !== null) return { ok: false, error: refused };
    const reader = this.#request.body?.getReader();
    if (reader === undefined) return { ok: true, value: collector.finish() };
    let failure: GatewayError | null = null;
    const stop = (error: GatewayError) => {
      failure ??= error;
      void cancel(reader);
    };
    const stopWatch = watchPace(collector, limits.pace, stop);
    try {
      for (;;) {
        const result = await reader.read();
        if (failure !== null) return { ok: false, error: failure };
        if (result.done) return { ok: true, value: collector.finish() };
        const error = collector.add(asBuffer(result.value));
        if (error !== null) stop(error);
      }
    } catch {
      return deny('invalid_request', BROKEN_BODY);
    } finally {
      stopWatch();
    }
  }

  setHeader(name: string, value: string): void {
    if (isHeaderValue(value)) this.#headers.set(name, value);
  }

  send(status: number, contentType: string, body: Buffer | string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#headers.set('content-type', contentType);
    const bytes = typeof body === 'string' ? body : new Uint8Array(body);
    this.#answer(new Response(bytes, { status, headers: this.#headers }));
  }

  sendPieces(status: number, contentType: string, pieces: readonly Buffer[], onTaken: () => void): void {
    if (this.isDisconnected) {
      onTaken();
      return;
    }
    this.#isEnded = true;
    this.#headers.set('content-type', contentType);
    this.#headers.set('content-length', String(getLength(pieces)));
    const stream = pullPieces(pieces, { stallMs: WRITE_STALL_MS, onTaken });
    this.#answer(new Response(stream, { status, headers: this.#headers }));
  }

  start(status: number, contentType: string): void {
    if (this.#isEnded) return;
    this.#headers.set('content-type', contentType);
    this.#headers.set('cache-control', 'no-cache');
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#body = controller),
        pull: () => this.#pull(),
        cancel: () => {
          this.#dropPieces();
          this.#leave();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER_BYTES }),
    );
    this.#answer(new Response(stream, { status, headers: this.#headers }));
  }

  write(text: string): boolean {
    return this.#enqueue(Buffer.from(text));
  }

  writeLatin1(bytes: string): boolean {
    return this.#enqueue(Buffer.from(bytes, 'latin1'));
  }

  writePieces(pieces: readonly (Buffer | string)[], onTaken: () => void): boolean {
    if (this.isDisconnected) onTaken();
    else {
      this.#pieces.push(...pieces, onTaken);
      this.#sentBytes = 0;
      this.#stopWatch ??= watchSending(
        () => this.#sentBytes,
        () => this.#cutOff(),
      );
      this.#sendPieces();
    }
    return this.isDisconnected || this.#pieces.length === 0;
  }

  #enqueue(bytes: Buffer): boolean {
    if (this.isDisconnected || this.#body === null) return true;
    if (this.#pieces.length > 0) {
      this.#pieces.push(bytes);
      return false;
    }
    this.#body.enqueue(new Uint8Array(bytes));
    return (this.#body.desiredSize ?? 0) > 0;
  }

  async #pull(): Promise<void> {
    if (this.#pieces.length > 0) {
      // In a separate turn: a caller on a fast network would take all pieces in one.
      await new Promise((resolve) => setTimeout(resolve));
      this.#sendPieces();
    }
    if (this.#pieces.length === 0) this.#listener?.onDrain();
  }

  /** Sends pieces until the caller has to read. */
  #sendPieces(): void {
    while (this.#pieces.length > 0 && (this.#body?.desiredSize ?? 0) > 0) {
      const piece = shiftPiece(this.#pieces, HIGH_WATER_BYTES);
      if (piece === undefined) continue;
      this.#sentBytes += piece.length;
      this.#body?.enqueue(asBytes(piece));
    }
    if (this.#pieces.length === 0) this.#endWatch();
    if (this.#pieces.length === 0 && this.#isEnded) this.#body?.close();
  }

  /** The caller reads too slowly. */
  #cutOff(): void {
    this.#body?.error(new Error('The caller reads too slowly'));
    this.#dropPieces();
    this.#leave();
  }

  #endWatch(): void {
    this.#stopWatch?.();
    this.#stopWatch = null;
  }

  #dropPieces(): void {
    this.#endWatch();
    for (const piece of this.#pieces.splice(0)) if (typeof piece === 'function') piece();
  }

  end(): void {
    if (this.isDisconnected) return;
    this.#isEnded = true;
    if (this.#pieces.length === 0) this.#body?.close();
  }

  destroy(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#dropPieces();
    this.#body?.error(new Error('The response was interrupted'));
  }

  listen(listener: ExchangeListener): void {
    this.#listener = listener;
    if (this.#isClosed) listener.onDisconnect();
  }

  #leave(): void {
    if (this.isDisconnected) return;
    this.#isClosed = true;
    this.#dropPieces();
    this.#listener?.onDisconnect();
  }
}

async function cancel(reader: ReadableStreamDefaultReader): Promise<void> {
  // A body that ended meanwhile cannot be cancelled, which is fine.
  await reader.cancel().catch(() => undefined);
}

function asBytes({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
