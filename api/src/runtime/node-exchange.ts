import type { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { deny, type Result } from '@tollgate/core/errors/errors';
import { BodyCollector } from '../request-body/body-collector.ts';
import { BROKEN_BODY, type ReadLimits } from '../request-body/read-limits.ts';
import { BodyReceiver } from '../request-body/receive-body.ts';
import { closeLingering } from './close-lingering.ts';
import { MAX_DISCARDED_BYTES, ONE_WRITE_BYTES, SocketExchange } from './socket-exchange.ts';

/** A request that `node:http` has read. */
export class NodeExchange extends SocketExchange {
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  /** False for HTTP/1.0, which has no chunks: its responses end with the connection. */
  protected readonly isFramed: boolean;
  /**
   * The socket for stream frames after the head was sent. Bypasses `OutgoingMessage.write`, which delays each frame to the
   * next tick and costs as much as the rest of relaying. null after the end: the connection then belongs to the next response.
   */
  #direct: Socket | null = null;
  /** Emits `drain` when a slow caller has caught up; null if no drain is awaited. */
  #draining: Socket | ServerResponse | null = null;
  #receivedBytes = 0;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    super();
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.isFramed = incoming.httpVersion !== '1.0';
    outgoing.on('close', () => {
      this.#direct = null;
      this.close(outgoing.writableFinished);
    });
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
    // A small body reserves little, so the server's request timeout is enough.
    const isWatched = declaredBytes === null || declaredBytes > MAX_DISCARDED_BYTES;
    const receiver = new BodyReceiver(incoming, collector, { limits, isWatched });
    incoming.on('data', (chunk: Buffer) => {
      receiver.add(chunk);
      this.#receivedBytes = collector.receivedBytes;
    });
    incoming.on('end', () => receiver.end());
    // A request that was interrupted emits `error` (https://nodejs.org/api/http.html#event-close_3).
    incoming.on('error', () => receiver.interrupt());
    return receiver.result;
  }

  protected get missingBodyBytes(): number {
    if (this.#incoming.complete) return 0;
    const declaredBytes = this.declaredBodyBytes;
    return declaredBytes === null ? Infinity : declaredBytes - this.#receivedBytes;
  }

  protected get unsentBytes(): number {
    return this.#outgoing.writableLength;
  }

  protected writeHead(status: number): void {
    this.#outgoing.writeHead(status, this.headers);
    // The chunks of a stream come with their frames.
    this.#outgoing.chunkedEncoding = false;
  }

  protected writeText(text: string): boolean {
    if (this.#direct?.writable === true) return this.#direct.write(text, 'latin1');
    // The response also sends its head. If it waits for an earlier one on the same connection, it has no socket yet, and
    // keeps its frames until then.
    const hasRoom = this.#outgoing.write(text, 'latin1');
    this.#direct = this.#outgoing.socket;
    return hasRoom;
  }

  protected writeBytes(bytes: Buffer): boolean {
    return this.#outgoing.write(bytes);
  }

  protected endText(text: string): void {
    this.#direct = null;
    this.#outgoing.end(text === '' ? undefined : text);
  }

  protected endBytes(bytes: Buffer): void {
    // A latin1 string is sent in one write with the headers; a buffer takes a second one.
    if (bytes.length > ONE_WRITE_BYTES) this.#outgoing.end(bytes);
    else this.#outgoing.end(bytes.toString('latin1'), 'latin1');
  }

  protected awaitDrain(): void {
    this.#draining = this.#direct ?? this.#outgoing;
    this.#draining.once('drain', this.#onDrained);
  }

  protected stopAwaitingDrain(): void {
    this.#draining?.off('drain', this.#onDrained);
    this.#draining = null;
  }

  readonly #onDrained = (): void => this.onDrain();

  protected discardBody(): void {
    this.#incoming.resume();
  }

  protected stopReceiving(): void {
    this.headers.push('connection', 'close');
    const { socket } = this.#incoming;
    // Node receives and discards all of an unread body.
    this.#incoming.pause();
    this.#incoming.read(0);
    socket.destroySoon = () => closeLingering(socket);
  }

  protected closeConnection(): void {
    this.#direct = null;
    this.#outgoing.destroy();
  }
}
