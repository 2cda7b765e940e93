import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { deny, type Result } from '@tollgate/core/errors';
import { createId } from '@tollgate/core/ids';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { BROKEN_BODY, tooLarge } from '../body-limit.ts';
import type { Exchange, ExchangeListener } from '../exchange.ts';

/** A caller that takes nothing for so long is gone. */
const WRITE_STALL_MS = 60_000;
const ONE_WRITE_BYTES = 64 * 1024;
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

  readBody(limitBytes: number): Promise<Result<Buffer>> {
    const incoming = this.#incoming;
    if (Number(incoming.headers['content-length'] ?? 0) > limitBytes)
      return Promise.resolve(this.#refuse(limitBytes));
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= limitBytes) chunks.push(chunk);
        else resolve(this.#refuse(limitBytes));
      });
      incoming.on('end', () => {
        const [first] = chunks;
        resolve({
          ok: true,
          value: first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks),
        });
      });
      // A request that breaks off is an error to whoever listens (https://nodejs.org/api/http.html#event-close_3).
      incoming.on('error', () => resolve(deny('invalid_request', BROKEN_BODY)));
    });
  }

  setHeader(name: string, value: string): void {
    this.#headers.push(name, value);
  }

  send(status: number, contentType: string, body: Buffer | string): void {
    if (this.isGone) return;
    const length = String(typeof body === 'string' ? Buffer.byteLength(body) : body.length);
    this.#headers.push('content-type', contentType, 'content-length', length);
    this.#outgoing.writeHead(status, this.#headers);
    // A latin1 string goes out in one write with the headers; a buffer takes a second one.
    if (typeof body === 'string' || body.length > ONE_WRITE_BYTES) this.#outgoing.end(body);
    else this.#outgoing.end(body.toString('latin1'), 'latin1');
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
    this.#stallTimer = setTimeout(() => this.#outgoing.destroy(), WRITE_STALL_MS);
    this.#draining = this.#direct ?? this.#outgoing;
    this.#draining.once('drain', this.#onDrain);
  }

  readonly #onDrain = (): void => {
    this.#stopWaiting();
    this.#listener?.onDrain();
  };

  #stopWaiting(): void {
    if (this.#stallTimer !== null) clearTimeout(this.#stallTimer);
    this.#stallTimer = null;
    this.#draining?.off('drain', this.#onDrain);
    this.#draining = null;
  }

  #refuse(limitBytes: number): { ok: false; error: ReturnType<typeof tooLarge>['error'] } {
    // The rest of the body is not worth reading: the connection ends with the answer.
    this.#headers.push('connection', 'close');
    this.#incoming.removeAllListeners('data');
    this.#incoming.resume();
    return tooLarge(limitBytes);
  }

  #onClose(): void {
    this.#stopWaiting();
    if (this.#outgoing.writableFinished) return;
    this.isGone = true;
    this.#direct = null;
    this.#listener?.onGone();
  }
}
