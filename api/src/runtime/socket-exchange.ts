import { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors/errors';
import { createId } from '@tollgate/core/runtime/ids';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Exchange, ExchangeListener } from '../exchange.ts';
import type { ReadLimits } from '../request-body/read-limits.ts';
import { checkHeaderValue, isHeaderValue } from './header-value.ts';
import { getLength, shiftPiece, type Piece } from './split-pieces.ts';
import { watchSending } from './watch-sending.ts';
import { WRITE_STALL_MS } from './write-stall.ts';

export const ONE_WRITE_BYTES = 64 * 1024;
/** A larger unread rest of a body is not received: the connection closes after the response. */
export const MAX_DISCARDED_BYTES = 64 * 1024;
const LAST_FRAME = '0\r\n\r\n';

/**
 * What the two raw exchanges of Node share: the order of what is sent, large responses in pieces, and slow callers. Headers,
 * body and response bypass `Request` and `Response`, which are measurably slower.
 */
export abstract class SocketExchange implements Exchange {
  readonly continuedResponseId = null;
  readonly requestId: string;
  readonly startedAtMs = Date.now();
  readonly response = RESPONSE_ALREADY_SENT;
  /** Of the response: names and values, which were checked. */
  protected readonly headers: string[];
  #listener: ExchangeListener | null = null;
  #isAwaitingDrain = false;
  #stallTimer: ReturnType<typeof setTimeout> | null = null;
  /** What follows in pieces: a large response, or a large part of a stream and what is written next. Functions are called. */
  #pieces: Piece[] = [];
  #isSendingPieces = false;
  /** The last frame of a stream, which is sent with its end. */
  #lastFrame = '';
  #sentBytes = 0;
  #stopWatch: (() => void) | null = null;
  #onTaken: (() => void) | null = null;
  #isClosed = false;
  #hasEnded = false;

  constructor() {
    this.requestId = createId('req', this.startedAtMs);
    this.headers = ['x-request-id', this.requestId];
  }

  abstract readonly method: string;
  abstract readonly query: string;
  abstract readonly declaredBodyBytes: number | null;
  abstract header(name: string): string | null;
  abstract readBody(limits: ReadLimits): Result<Buffer> | Promise<Result<Buffer>>;

  /** True: a streamed response is chunked. */
  protected abstract readonly isFramed: boolean;
  /** Bytes of the request's body that have not arrived yet. */
  protected abstract readonly missingBodyBytes: number;
  /** Bytes written that the kernel has not taken yet. */
  protected abstract readonly unsentBytes: number;
  /** The head is sent with the first bytes that follow. */
  protected abstract writeHead(status: number): void;
  /** @param text one character for each byte @returns false if the caller reads too slowly */
  protected abstract writeText(text: string): boolean;
  protected abstract writeBytes(bytes: Buffer): boolean;
  /** Ends the response. @param text UTF-8, the last of it */
  protected abstract endText(text: string): void;
  /** Ends the response. @param bytes the last of it */
  protected abstract endBytes(bytes: Buffer): void;
  /** Calls `onDrain` once everything was sent. */
  protected abstract awaitDrain(): void;
  protected abstract stopAwaitingDrain(): void;
  /** Receives the rest of the body, and discards it. */
  protected abstract discardBody(): void;
  /** Receives nothing more; the connection closes after the response. */
  protected abstract stopReceiving(): void;
  protected abstract closeConnection(): void;

  get isDisconnected(): boolean {
    return this.#isClosed || this.#hasEnded;
  }

  setHeader(name: string, value: string): void {
    if (!isHeaderValue(value)) return;
    const { headers } = this;
    for (let at = 0; at < headers.length; at += 2)
      if (headers[at] === name) {
        headers[at + 1] = value;
        return;
      }
    headers.push(name, value);
  }

  send(status: number, contentType: string, body: Buffer | string): void {
    if (this.isDisconnected) return;
    this.#hasEnded = true;
    this.#leaveBody();
    const length = String(typeof body === 'string' ? Buffer.byteLength(body) : body.length);
    this.headers.push('content-type', checkHeaderValue(contentType), 'content-length', length);
    this.writeHead(status);
    if (typeof body === 'string') this.endText(body);
    else this.endBytes(body);
  }

  sendPieces(status: number, contentType: string, pieces: readonly Buffer[], onTaken: () => void): void {
    if (this.isDisconnected) {
      onTaken();
      return;
    }
    this.#hasEnded = true;
    this.#leaveBody();
    this.#onTaken = onTaken;
    this.#pieces = [...pieces];
    this.headers.push('content-type', checkHeaderValue(contentType));
    this.headers.push('content-length', String(getLength(pieces)));
    this.writeHead(status);
    this.#sendPieces();
  }

  start(status: number, contentType: string): void {
    if (this.isDisconnected) return;
    // Proxies must not buffer the events.
    this.headers.push('content-type', checkHeaderValue(contentType));
    this.headers.push('cache-control', 'no-cache', 'x-accel-buffering', 'no');
    if (this.isFramed) this.headers.push('transfer-encoding', 'chunked');
    this.writeHead(status);
  }

  write(text: string): boolean {
    return this.writeLatin1(Buffer.from(text).toString('latin1'));
  }

  /**
   * Sends one chunk of https://www.rfc-editor.org/rfc/rfc9112#section-7.1 in one write: Node would pass its size, the data and
   * two line ends to the kernel as four pieces, which costs a third more per chunk.
   */
  writeLatin1(bytes: string, isLast = false): boolean {
    // An empty chunk would end the body.
    if (this.isDisconnected || bytes === '') return true;
    if (this.#isSendingPieces) {
      this.#pieces.push(Buffer.from(bytes, 'latin1'));
      return false;
    }
    if (isLast) {
      this.#lastFrame += this.#frame(bytes);
      return true;
    }
    return this.#writeFrame(bytes);
  }

  #frame(bytes: string): string {
    return this.isFramed ? `${bytes.length.toString(16)}\r\n${bytes}\r\n` : bytes;
  }

  #writeFrame(bytes: string): boolean {
    const frame = this.#takeLastFrame() + this.#frame(bytes);
    const hasRoom = this.writeText(frame);
    if (!hasRoom) this.#waitForDrain();
    return hasRoom;
  }

  writePieces(pieces: readonly (Buffer | string)[], onTaken: () => void): boolean {
    if (this.isDisconnected) onTaken();
    else {
      const frame = this.#takeLastFrame();
      if (frame !== '') this.writeText(frame);
      this.#pieces.push(...pieces, onTaken);
      if (!this.#isSendingPieces) this.#sendPieces();
    }
    return this.isDisconnected;
  }

  end(): void {
    if (this.isDisconnected) return;
    this.#hasEnded = true;
    if (!this.#isSendingPieces) this.#endStream();
  }

  #endStream(): void {
    const frame = this.#takeLastFrame();
    const end = this.isFramed ? LAST_FRAME : '';
    if (frame === '') return this.endText(end);
    this.writeText(frame + end);
    this.endText('');
  }

  #takeLastFrame(): string {
    const frame = this.#lastFrame;
    this.#lastFrame = '';
    return frame;
  }

  #sendPieces(): void {
    this.#isSendingPieces = true;
    this.#sentBytes = 0;
    const takenBytes = () => this.#sentBytes - this.unsentBytes;
    this.#stopWatch = watchSending(takenBytes, () => this.closeConnection());
    this.#writePiece();
  }

  /** Sends one piece per turn of the event loop: a caller on a fast network would take all of them in one turn. */
  #writePiece(): void {
    if (this.#isClosed) return;
    const piece = shiftPiece(this.#pieces, ONE_WRITE_BYTES);
    if (piece === undefined) return this.#endPieces();
    this.#sentBytes += piece.length;
    const isStream = this.#onTaken === null;
    const hasRoom = isStream ? this.#writeFrame(piece.toString('latin1')) : this.writeBytes(piece);
    if (hasRoom) setImmediate(() => this.#writePiece());
    else this.#waitForDrain();
  }

  #endPieces(): void {
    this.#isSendingPieces = false;
    this.#stopWatch?.();
    if (this.#onTaken !== null) {
      // The caller may still have to read the last bytes.
      this.#startStallTimer();
      this.endText('');
    } else if (this.#hasEnded) this.#endStream();
    else this.#listener?.onDrain();
  }

  #startStallTimer(): void {
    this.#stallTimer = setTimeout(() => this.closeConnection(), WRITE_STALL_MS);
  }

  destroy(): void {
    this.closeConnection();
  }

  listen(listener: ExchangeListener): void {
    this.#listener = listener;
    if (this.#isClosed) listener.onDisconnect();
  }

  #waitForDrain(): void {
    if (this.#isAwaitingDrain) return;
    this.#isAwaitingDrain = true;
    this.#startStallTimer();
    this.awaitDrain();
  }

  /** The caller has caught up. */
  onDrain(): void {
    if (!this.#isAwaitingDrain) return;
    this.#stopWaiting();
    if (this.#isSendingPieces) setImmediate(() => this.#writePiece());
    else this.#listener?.onDrain();
  }

  #stopWaiting(): void {
    if (this.#stallTimer !== null) clearTimeout(this.#stallTimer);
    this.#stallTimer = null;
    if (this.#isAwaitingDrain) this.stopAwaitingDrain();
    this.#isAwaitingDrain = false;
  }

  /** Receives a small rest of an unread body, so that the connection can be used again. */
  #leaveBody(): void {
    const missingBytes = this.missingBodyBytes;
    if (missingBytes > MAX_DISCARDED_BYTES) this.stopReceiving();
    else if (missingBytes > 0) this.discardBody();
  }

  /** The exchange is over. @param isWhole false: the caller disconnected before the end of its response */
  protected close(isWhole: boolean): void {
    this.#stopWaiting();
    this.#stopWatch?.();
    for (const piece of this.#pieces.splice(0)) if (typeof piece === 'function') piece();
    this.#onTaken?.();
    this.#onTaken = null;
    if (isWhole) return;
    this.#isClosed = true;
    this.#listener?.onDisconnect();
  }
}
