import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import type { BodyReceiver } from '../../request-body/receive-body.ts';
import { closeLingering } from '../close-lingering.ts';
import { DirectExchange } from './direct-exchange.ts';
import type { ExchangeConnection } from './exchange-connection.ts';
import { HeadReader } from './head-reader.ts';
import { copyBytes } from '../../request-body/copy-bytes.ts';
import { lendReads } from './lend-reads.ts';

/** Bytes that are received before they are read; then the connection is paused. */
const MAX_KEPT_BYTES = 64 * 1024;
/** Memory that a piece takes in addition to its bytes. A paused connection sends its next ones together. */
const PIECE_BYTES = 256;

const CLOSE = 'connection: close\r\n\r\n';

/** After how many checks of its connections a server ends them. */
export interface ConnectionChecks {
  /** Without the head of the first request. */
  head: number;
  /** Without the whole request. */
  request: number;
  /** Without a next request. */
  idle: number;
}

/** The server of a connection. */
export interface ConnectionOwner {
  readonly checks: ConnectionChecks;
  /** The headers of a connection that stays open, and the empty line. */
  readonly keepAlive: string;
  /** @returns undefined if requests of the path are for `node:http` */
  find(path: string): ((exchange: DirectExchange) => void) | undefined;
  isDraining(): boolean;
  /** Gives the connection to `node:http`, for good. @param bytes received, and not yet read */
  handOver(connection: DirectConnection, bytes: Buffer): void;
  /** Answers a request that is not valid or takes too long, and closes the connection. */
  refuse(connection: DirectConnection, code: 'ERR_HTTP_REQUEST_TIMEOUT' | 'HPE_INVALID_EOF_STATE'): void;
  remove(connection: DirectConnection): void;
}

/**
 * A connection whose requests the gateway reads itself, one after the other, until one is for `node:http`:
 * https://www.rfc-editor.org/rfc/rfc9112#section-9
 */
export class DirectConnection implements ExchangeConnection {
  readonly socket: Socket;
  readonly #owner: ConnectionOwner;
  readonly #heads = new HeadReader();
  /** The request in progress: until its response is sent, and its body received. */
  #exchange: DirectExchange | null = null;
  #hasResponse = false;
  #keepsAlive = true;
  #isLingering = false;
  missingBytes = 0;
  /** The body as far as it has arrived, until it is read. */
  #chunks: Buffer[] = [];
  #keptBytes = 0;
  #receiver: BodyReceiver | null = null;
  #isDiscarding = false;
  /** What follows the request: the next ones, which did not wait for its response. */
  #next: Buffer[] = [];
  #nextBytes = 0;
  #isNew = true;
  #isClosing = false;
  /** Checks since the last change. */
  #checks = 0;

  readonly #onRead = (memory: Buffer, length: number): void => this.#receive(memory, length);
  readonly #onData = (chunk: Buffer): void => this.#receive(chunk, chunk.length);
  readonly #onEnd = (): void => this.#end();
  readonly #onDrain = (): void => this.#exchange?.onDrain();
  readonly #onClose = (): void => this.#close();
  // `close` follows.
  readonly #onError = (): void => undefined;
  readonly #endReads: () => void;

  constructor(owner: ConnectionOwner, socket: Socket) {
    this.#owner = owner;
    this.socket = socket;
    this.#endReads = lendReads(socket, this.#onRead);
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('drain', this.#onDrain);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  get unsentBytes(): number {
    return this.socket.writableLength;
  }

  get #isIdle(): boolean {
    return this.#exchange === null && this.missingBytes === 0 && !this.#isClosing;
  }

  /** Called periodically. */
  check(): void {
    this.#checks += 1;
    const { head, request, idle } = this.#owner.checks;
    if (this.#isIdle) {
      if (!this.#isNew && this.#checks > idle) this.socket.destroy();
      if (this.#isNew && this.#checks > head) this.#refuse('ERR_HTTP_REQUEST_TIMEOUT');
    } else if (this.missingBytes > 0 && this.#checks > request && !this.#isClosing)
      this.#refuse('ERR_HTTP_REQUEST_TIMEOUT');
  }

  /** Closes a connection that waits for its next request. */
  closeIdle(): void {
    if (this.#isIdle && !this.#isNew) this.socket.destroy();
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  takeChunks(): readonly Buffer[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#keptBytes = 0;
    return chunks;
  }

  receive(receiver: BodyReceiver): void {
    this.#receiver = receiver;
    this.resume();
    // The receiver may pause it again.
    for (const chunk of this.takeChunks()) receiver.add(chunk);
  }

  discard(): void {
    this.#receiver = null;
    this.#isDiscarding = true;
    this.takeChunks();
    this.resume();
  }

  stopReceiving(): void {
    this.#keepsAlive = false;
    this.#isLingering = true;
    this.pause();
  }

  startResponse(): string {
    this.#hasResponse = true;
    return this.#keepsAlive ? this.#owner.keepAlive : CLOSE;
  }

  write(data: Buffer | string, encoding?: 'latin1' | 'utf8'): boolean {
    // After the end nothing can be written, and nothing is awaited.
    return !this.socket.writable || this.socket.write(data, encoding);
  }

  endResponse(): void {
    const { socket } = this;
    // `close` follows.
    if (!socket.writable) return;
    if (socket.writableLength === 0) this.#release();
    // Called when everything before it was sent.
    else socket.write('', (error) => (error instanceof Error ? undefined : this.#release()));
  }

  closeFor(exchange: object): void {
    if (this.#exchange === exchange) this.socket.destroy();
  }

  /** No longer this object's connection. */
  detach(): void {
    const { socket } = this;
    this.#endReads();
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('drain', this.#onDrain);
    socket.off('error', this.#onError);
    socket.off('close', this.#onClose);
    socket.resume();
  }

  /** @param memory has the bytes until the return: what is kept of them is copied */
  #receive(memory: Buffer, length: number): void {
    if (this.#isClosing) return;
    if (this.#isIdle) {
      this.#begin(memory, length);
      return;
    }
    const missing = this.missingBytes;
    if (length > missing) this.#keepNext(copyBytes(memory, missing, length));
    if (missing > 0) this.#receiveBody(memory.subarray(0, Math.min(length, missing)));
  }

  #begin(memory: Buffer, length: number): void {
    const request = this.#heads.read(memory, length);
    const answer = request === null ? undefined : this.#owner.find(request.fields.path);
    if (request === null || answer === undefined) {
      this.#owner.handOver(this, copyBytes(memory, 0, length));
      return;
    }
    this.#isNew = false;
    this.#checks = 0;
    this.#hasResponse = false;
    this.#isDiscarding = false;
    this.#keepsAlive = request.fields.keepsAlive && !this.#owner.isDraining();
    const end = request.length + request.contentLength;
    this.missingBytes = Math.max(0, end - length);
    if (length > request.length && request.contentLength > 0)
      this.#keep(copyBytes(memory, request.length, Math.min(end, length)));
    if (length > end) this.#keepNext(copyBytes(memory, end, length));
    const exchange = new DirectExchange(this, request);
    this.#exchange = exchange;
    answer(exchange);
  }

  #receiveBody(chunk: Buffer): void {
    this.missingBytes -= chunk.length;
    const receiver = this.#receiver;
    if (receiver !== null) {
      if (this.missingBytes === 0) this.#receiver = null;
      receiver.addLent(chunk);
      if (this.missingBytes === 0) receiver.end();
    } else if (!this.#isDiscarding) this.#keep(copyBytes(chunk, 0, chunk.length));
    else if (this.#exchange === null && this.missingBytes === 0) this.#becomeIdle();
  }

  #keep(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#keptBytes += chunk.length + PIECE_BYTES;
    if (this.#keptBytes >= MAX_KEPT_BYTES && this.missingBytes > 0) this.pause();
  }

  #keepNext(chunk: Buffer): void {
    this.#next.push(chunk);
    this.#nextBytes += chunk.length + PIECE_BYTES;
    if (this.#nextBytes >= MAX_KEPT_BYTES) this.pause();
  }

  /** The response was sent. */
  #release(): void {
    const exchange = this.#exchange;
    this.#exchange = null;
    this.#receiver = null;
    exchange?.close(true);
    if (!this.#keepsAlive) {
      this.#isClosing = true;
      if (this.#isLingering || this.missingBytes > 0) closeLingering(this.socket);
      else this.socket.destroySoon();
    } else if (this.missingBytes > 0) this.discard();
    else this.#becomeIdle();
  }

  #becomeIdle(): void {
    this.#checks = 0;
    this.takeChunks();
    if (this.#next.length > 0) this.#owner.handOver(this, Buffer.concat(this.#next.splice(0)));
  }

  #refuse(code: 'ERR_HTTP_REQUEST_TIMEOUT' | 'HPE_INVALID_EOF_STATE'): void {
    this.#isClosing = true;
    // An error in the middle of a response would be read as part of it.
    if (this.#hasResponse) this.socket.destroy();
    else this.#owner.refuse(this, code);
  }

  /** The caller sends nothing more. Like `node:http`, treats it as disconnected. */
  #end(): void {
    if (this.missingBytes > 0 && !this.#isClosing) this.#refuse('HPE_INVALID_EOF_STATE');
    else this.socket.end();
  }

  #close(): void {
    this.#owner.remove(this);
    this.#isClosing = true;
    const exchange = this.#exchange;
    this.#exchange = null;
    this.#receiver?.interrupt();
    this.#receiver = null;
    this.#next = [];
    exchange?.close(false);
  }
}
