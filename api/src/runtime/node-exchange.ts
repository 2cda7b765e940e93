import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { deny, type Result } from '@tollgate/core/errors/errors';
import { createId } from '@tollgate/core/runtime/ids';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Exchange, ExchangeListener } from '../exchange.ts';
import { BodyCollector } from '../request-body/body-collector.ts';
import { BROKEN_BODY, type ReadLimits } from '../request-body/read-limits.ts';
import { receiveBody } from '../request-body/receive-body.ts';
import { getLength, shiftPiece, type Piece } from './split-pieces.ts';
import { closeLingering } from './close-lingering.ts';
import { watchSending } from './watch-sending.ts';
import { WRITE_STALL_MS } from './write-stall.ts';

const ONE_WRITE_BYTES = 64 * 1024;
/** A larger unread rest of a body is not received: the connection closes after the response. */
const MAX_DISCARDED_BYTES = 64 * 1024;
const LAST_FRAME = '0\r\n\r\n';

/** The raw path of Node: headers, body and response bypass `Request` and `Response`, which are measurably slower. */
export class NodeExchange implements Exchange {
  readonly continuedResponseId = null;
  readonly requestId: string;
  readonly startedAtMs = Date.now();
  readonly response = RESPONSE_ALREADY_SENT;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #headers: string[];
  /** True: a streamed response is chunked; HTTP/1.0 has no chunks, its responses end with the connection. */
  readonly #isFramed: boolean;
  #listener: ExchangeListener | null = null;
  /**
   * The socket for stream frames after the head was sent. Bypasses `OutgoingMessage.write`, which delays each frame to the
   * next tick and costs as much as the rest of relaying. null after the end: the connection then belongs to the next response.
   */
  #direct: Socket | null = null;
  /** Emits `drain` when a slow caller has caught up; null if no drain is awaited. */
  #draining: Socket | ServerResponse | null = null;
  #stallTimer: ReturnType<typeof setTimeout> | null = null;
  /** What follows in pieces: a large response, or a large part of a stream and what is written next. Functions are called. */
  #pieces: Piece[] = [];
  #isSendingPieces = false;
  #sentBytes = 0;
  #stopWatch: (() => void) | null = null;
  #onTaken: (() => void) | null = null;
  #receivedBytes = 0;
  #isClosed = false;
  #hasEnded = false;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.requestId = createId('req', this.startedAtMs);
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#isFramed = incoming.httpVersion !== '1.0';
    this.#headers = ['x-request-id', this.requestId];
    outgoing.on('close', () => this.#onClose());
  }

  get isDisconnected(): boolean {
    return this.#isClosed || this.#hasEnded;
  }

  get method(): string {
    return this.#incoming.method ?? 'GET';
  }

  get query(): string {
    const url = this.#incoming.url ?? '';
    const at = url.indexOf('?');
    return at < 0 ? '' : url.slice(at);
  }

  header(name: string): string | null {
    const value = this.#incoming.headers[name];
    return (Array.isArray(value) ? value.join(', ') : value) ?? null;
  }

  get declaredBodyBytes(): number | null {
    const { 'content-length': length, 'transfer-encoding': encoding } = this.#incoming.headers;
    if (length !== undefined) return Number(length);
    return encoding === undefined ? 0 : null;
  }

  readBody(limits: ReadLimits): Promise<Result<Buffer>> {
    const incoming = this.#incoming;
    const declaredBytes = this.declaredBodyBytes;
    const collector = new BodyCollector(declaredBytes, limits);
    const refused = collector.start();
    if (refused !== null) return Promise.resolve({ ok: false, error: refused });
    // A caller that disconnected before this read emits no further event.
    if (incoming.destroyed) return Promise.resolve(deny('invalid_request', BROKEN_BODY));
    if (incoming.headers.expect === '100-continue') this.#outgoing.writeContinue();
    return receiveBody(incoming, collector, {
      limits,
      // A small body reserves little, so the server's request timeout is enough.
      isWatched: declaredBytes === null || declaredBytes > MAX_DISCARDED_BYTES,
      onReceived: (bytes) => (this.#receivedBytes = bytes),
    });
  }

  setHeader(name: string, value: string): void {
    this.#headers.push(name, value);
  }

  send(status: number, contentType: string, body: Buffer | string): void {
    if (this.isDisconnected) return;
    this.#hasEnded = true;
    if (!this.#incoming.complete) this.#stopReceiving();
    const length = String(typeof body === 'string' ? Buffer.byteLength(body) : body.length);
    this.#headers.push('content-type', contentType, 'content-length', length);
    this.#outgoing.writeHead(status, this.#headers);
    // A latin1 string is sent in one write with the headers; a buffer takes a second one.
    if (typeof body === 'string' || body.length > ONE_WRITE_BYTES) this.#outgoing.end(body);
    else this.#outgoing.end(body.toString('latin1'), 'latin1');
  }

  sendPieces(status: number, contentType: string, pieces: readonly Buffer[], onTaken: () => void): void {
    if (this.isDisconnected) {
      onTaken();
      return;
    }
    this.#hasEnded = true;
    if (!this.#incoming.complete) this.#stopReceiving();
    this.#onTaken = onTaken;
    this.#pieces = [...pieces];
    this.#headers.push('content-type', contentType, 'content-length', String(getLength(pieces)));
    this.#outgoing.writeHead(status, this.#headers);
    this.#sendPieces();
  }

  start(status: number, contentType: string): void {
    if (this.isDisconnected) return;
    // Proxies must not buffer the events.
    this.#headers.push('content-type', contentType, 'cache-control', 'no-cache', 'x-accel-buffering', 'no');
    if (this.#isFramed) this.#headers.push('transfer-encoding', 'chunked');
    this.#outgoing.writeHead(status, this.#headers);
    // `write` makes the chunk frames itself.
    this.#outgoing.chunkedEncoding = false;
  }

  write(text: string): boolean {
    return this.writeLatin1(Buffer.from(text).toString('latin1'));
  }

  /**
   * Sends one chunk of https://www.rfc-editor.org/rfc/rfc9112#section-7.1 in one write: Node would pass its size, the data and
   * two line ends to the kernel as four pieces, which costs a third more per chunk.
   */
  writeLatin1(bytes: string): boolean {
    // An empty chunk would end the body.
    if (this.isDisconnected || bytes === '') return true;
    if (this.#isSendingPieces) {
      this.#pieces.push(Buffer.from(bytes, 'latin1'));
      return false;
    }
    return this.#writeFrame(bytes);
  }

  #writeFrame(bytes: string): boolean {
    const frame = this.#isFramed ? `${bytes.length.toString(16)}\r\n${bytes}\r\n` : bytes;
    const hasRoom =
      this.#direct?.writable === true ? this.#direct.write(frame, 'latin1') : this.#writeFirst(frame);
    if (!hasRoom) this.#waitForDrain();
    return hasRoom;
  }

  writePieces(pieces: readonly (Buffer | string)[], onTaken: () => void): boolean {
    if (this.isDisconnected) onTaken();
    else {
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
    this.#direct = null;
    this.#outgoing.end(this.#isFramed ? LAST_FRAME : undefined);
  }

  #sendPieces(): void {
    this.#isSendingPieces = true;
    this.#sentBytes = 0;
    const takenBytes = () => this.#sentBytes - this.#outgoing.writableLength;
    this.#stopWatch = watchSending(takenBytes, () => this.#outgoing.destroy());
    this.#writePiece();
  }

  /** Sends one piece per turn of the event loop: a caller on a fast network would take all of them in one turn. */
  #writePiece(): void {
    if (this.#isClosed) return;
    const piece = shiftPiece(this.#pieces, ONE_WRITE_BYTES);
    if (piece === undefined) return this.#endPieces();
    this.#sentBytes += piece.length;
    const isStream = this.#onTaken === null;
    const hasRoom = isStream ? this.#writeFrame(piece.toString('latin1')) : this.#outgoing.write(piece);
    if (hasRoom) setImmediate(() => this.#writePiece());
    else this.#waitForDrain();
  }

  #endPieces(): void {
    this.#isSendingPieces = false;
    this.#stopWatch?.();
    if (this.#onTaken !== null) {
      // The caller may still have to read the last bytes.
      this.#startStallTimer();
      this.#outgoing.end();
    } else if (this.#hasEnded) this.#endStream();
    else this.#listener?.onDrain();
  }

  #startStallTimer(): void {
    this.#stallTimer = setTimeout(() => this.#outgoing.destroy(), WRITE_STALL_MS);
  }

  destroy(): void {
    this.#direct = null;
    this.#outgoing.destroy();
  }

  listen(listener: ExchangeListener): void {
    this.#listener = listener;
    if (this.#isClosed) listener.onDisconnect();
  }

  /**
   * Sends the first frame through the response, which also sends its head. A response that waits for an earlier one on the
   * same connection has no socket yet, and keeps its frames until then.
   */
  #writeFirst(frame: string): boolean {
    const hasRoom = this.#outgoing.write(frame, 'latin1');
    this.#direct = this.#outgoing.socket;
    return hasRoom;
  }

  #waitForDrain(): void {
    if (this.#draining !== null) return;
    this.#startStallTimer();
    this.#draining = this.#direct ?? this.#outgoing;
    this.#draining.once('drain', this.#onDrain);
  }

  readonly #onDrain = (): void => {
    this.#stopWaiting();
    if (this.#isSendingPieces) setImmediate(() => this.#writePiece());
    else this.#listener?.onDrain();
  };

  #stopWaiting(): void {
    if (this.#stallTimer !== null) clearTimeout(this.#stallTimer);
    this.#stallTimer = null;
    this.#draining?.off('drain', this.#onDrain);
    this.#draining = null;
  }

  /** Stops reading a large body: the connection closes after the response. */
  #stopReceiving(): void {
    const declaredBytes = this.declaredBodyBytes;
    const restBytes = declaredBytes === null ? Infinity : declaredBytes - this.#receivedBytes;
    if (restBytes <= MAX_DISCARDED_BYTES) {
      this.#incoming.resume();
      return;
    }
    this.#headers.push('connection', 'close');
    const { socket } = this.#incoming;
    // Node receives and discards all of an unread body.
    this.#incoming.pause();
    this.#incoming.read(0);
    socket.destroySoon = () => closeLingering(socket);
  }

  #onClose(): void {
    this.#stopWaiting();
    this.#stopWatch?.();
    for (const piece of this.#pieces.splice(0)) if (typeof piece === 'function') piece();
    this.#onTaken?.();
    this.#onTaken = null;
    if (this.#outgoing.writableFinished) return;
    this.#isClosed = true;
    this.#direct = null;
    this.#listener?.onDisconnect();
  }
}
