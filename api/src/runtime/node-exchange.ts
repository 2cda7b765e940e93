import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { deny, type GatewayError, type Result } from '@tollgate/core/errors/errors';
import { createId } from '@tollgate/core/runtime/ids';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Exchange, ExchangeListener } from '../exchange.ts';
import { BodyCollector } from '../request-body/body-collector.ts';
import { BROKEN_BODY, type ReadLimits } from '../request-body/read-limits.ts';
import { watchPace } from '../request-body/watch-pace.ts';
import { splitPieces } from './split-pieces.ts';
import { closeLingering } from './close-lingering.ts';
import { WRITE_STALL_MS } from './write-stall.ts';

const ONE_WRITE_BYTES = 64 * 1024;
/** A larger rest of a body that was not read is not received: the connection closes after the response. */
const MAX_DISCARDED_BYTES = 64 * 1024;
const LAST_FRAME = '0\r\n\r\n';

/** The raw path of Node: headers, body and answer go past `Request` and `Response`, which measure slower. */
export class NodeExchange implements Exchange {
  readonly requestId: string;
  readonly startedAtMs = Date.now();
  readonly response = RESPONSE_ALREADY_SENT;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #headers: string[];
  /** An answer in pieces is sent as chunks; HTTP/1.0 knows none, its answers end with the connection. */
  readonly #isFramed: boolean;
  #listener: ExchangeListener | null = null;
  /**
   * Where the frames of a stream go once its head is out, past `OutgoingMessage.write`, which holds back each of them until the
   * next tick and costs as much as the rest of relaying it. null from the end on: the connection is the next answer's then.
   */
  #direct: Socket | null = null;
  /** Who tells when a slow caller has caught up, null while nobody waits for that. */
  #draining: Socket | ServerResponse | null = null;
  #stallTimer: ReturnType<typeof setTimeout> | null = null;
  /** What is left of a large answer. */
  #pieces: Buffer[] = [];
  #onTaken: (() => void) | null = null;
  #receivedBytes = 0;
  isGone = false;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.requestId = createId('req', this.startedAtMs);
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#isFramed = incoming.httpVersion !== '1.0';
    this.#headers = ['x-request-id', this.requestId];
    outgoing.on('close', () => this.#onClose());
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
    // A caller that left before this read gives no further event.
    if (incoming.destroyed) return Promise.resolve(deny('invalid_request', BROKEN_BODY));
    if (incoming.headers.expect === '100-continue') this.#outgoing.writeContinue();
    return new Promise((resolve) => {
      // A small body reserves little: the request timeout of the server is enough.
      const isWatched = declaredBytes === null || declaredBytes > MAX_DISCARDED_BYTES;
      const stopWatch = isWatched ? watchPace(collector, limits.pace, (error) => fail(error)) : null;
      const onData = (chunk: Buffer) => {
        const error = collector.add(chunk);
        this.#receivedBytes = collector.receivedBytes;
        if (error !== null) fail(error);
        else if (isWatched && limits.turns.spend(chunk.length)) {
          incoming.pause();
          limits.turns.wait(limits.owner, resume);
        }
      };
      let isOver = false;
      const resume = () => {
        if (!isOver) incoming.resume();
      };
      const fail = (error: GatewayError) => {
        isOver = true;
        stopWatch?.();
        incoming.off('data', onData);
        incoming.pause();
        resolve({ ok: false, error });
      };
      incoming.on('data', onData);
      incoming.on('end', () => {
        stopWatch?.();
        resolve({ ok: true, value: collector.finish() });
      });
      // A request that breaks off is an error to whoever listens (https://nodejs.org/api/http.html#event-close_3).
      incoming.on('error', () => fail(deny('invalid_request', BROKEN_BODY).error));
    });
  }

  setHeader(name: string, value: string): void {
    this.#headers.push(name, value);
  }

  send(status: number, contentType: string, body: Buffer | string): void {
    if (this.isGone) return;
    if (!this.#incoming.complete) this.#stopReceiving();
    const length = String(typeof body === 'string' ? Buffer.byteLength(body) : body.length);
    this.#headers.push('content-type', contentType, 'content-length', length);
    this.#outgoing.writeHead(status, this.#headers);
    // A latin1 string goes out in one write with the headers; a buffer takes a second one.
    if (typeof body === 'string' || body.length > ONE_WRITE_BYTES) this.#outgoing.end(body);
    else this.#outgoing.end(body.toString('latin1'), 'latin1');
  }

  sendPieces(status: number, contentType: string, pieces: readonly Buffer[], onTaken: () => void): void {
    if (this.isGone) {
      onTaken();
      return;
    }
    if (!this.#incoming.complete) this.#stopReceiving();
    this.#onTaken = onTaken;
    this.#pieces = splitPieces(pieces, ONE_WRITE_BYTES);
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    this.#headers.push('content-type', contentType, 'content-length', String(length));
    this.#outgoing.writeHead(status, this.#headers);
    this.#writePiece();
  }

  start(status: number, contentType: string): void {
    if (this.isGone) return;
    // Proxies between here and the caller must not collect the events.
    this.#headers.push('content-type', contentType, 'cache-control', 'no-cache', 'x-accel-buffering', 'no');
    if (this.#isFramed) this.#headers.push('transfer-encoding', 'chunked');
    this.#outgoing.writeHead(status, this.#headers);
    // From here on the frames are made by `write`, see there.
    this.#outgoing.chunkedEncoding = false;
  }

  write(text: string): boolean {
    return this.writeLatin1(Buffer.from(text).toString('latin1'));
  }

  /**
   * One chunk of https://www.rfc-editor.org/rfc/rfc9112#section-7.1 in one write: Node would hand its size, the data and
   * two line ends to the kernel as four pieces, which costs a third more for each chunk.
   */
  writeLatin1(bytes: string): boolean {
    // An empty chunk would be the last one.
    if (this.isGone || bytes === '') return true;
    const frame = this.#isFramed ? `${bytes.length.toString(16)}\r\n${bytes}\r\n` : bytes;
    const hasRoom =
      this.#direct?.writable === true ? this.#direct.write(frame, 'latin1') : this.#writeFirst(frame);
    if (!hasRoom) this.#waitForDrain();
    return hasRoom;
  }

  end(): void {
    this.#direct = null;
    if (!this.isGone) this.#outgoing.end(this.#isFramed ? LAST_FRAME : undefined);
  }

  /** One piece in one turn of the event loop: a caller on a fast network would take all of them in one. */
  #writePiece(): void {
    if (this.isGone) return;
    const piece = this.#pieces.shift();
    if (piece === undefined) this.#endTaken();
    else if (this.#outgoing.write(piece)) setImmediate(() => this.#writePiece());
    else this.#waitForDrain();
  }

  /** The last bytes are still to be taken. */
  #endTaken(): void {
    this.#startStallTimer();
    this.#outgoing.end();
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
    if (this.isGone) listener.onGone();
  }

  /**
   * The first frame goes through the response, which sends its head along. An answer that waits for the one before it on
   * the same connection has no socket yet, and keeps its frames until then.
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
    if (this.#onTaken === null) this.#listener?.onDrain();
    else setImmediate(() => this.#writePiece());
  };

  #stopWaiting(): void {
    if (this.#stallTimer !== null) clearTimeout(this.#stallTimer);
    this.#stallTimer = null;
    this.#draining?.off('drain', this.#onDrain);
    this.#draining = null;
  }

  /** Reads no more of a large body: the connection closes after the response. */
  #stopReceiving(): void {
    const declaredBytes = this.declaredBodyBytes;
    const restBytes = declaredBytes === null ? Infinity : declaredBytes - this.#receivedBytes;
    if (restBytes <= MAX_DISCARDED_BYTES) {
      this.#incoming.resume();
      return;
    }
    this.#headers.push('connection', 'close');
    const { socket } = this.#incoming;
    // Node receives and discards all of a body that is not read.
    this.#incoming.pause();
    this.#incoming.read(0);
    socket.destroySoon = () => closeLingering(socket);
  }

  #onClose(): void {
    this.#stopWaiting();
    this.#pieces = [];
    this.#onTaken?.();
    this.#onTaken = null;
    if (this.#outgoing.writableFinished) return;
    this.isGone = true;
    this.#direct = null;
    this.#listener?.onGone();
  }
}
