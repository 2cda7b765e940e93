import type { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { deny, type GatewayError, type Result } from '@tollgate/core/errors/errors';
import type { ApiDeps } from '../deps.ts';
import { sendError } from '../errors/send-error.ts';
import { responsesEndpoint } from '../endpoints.ts';
import { authenticate } from '../keys/authenticate.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { BROKEN_GATEWAY } from '../pipeline/upstream-failure.ts';
import { isForThread } from '../request-body/is-for-thread.ts';
import { readTurnInThread } from '../request-body/parse-in-thread.ts';
import { answerCompletion } from '../routes/completions.ts';
import { readTurn, type ReadTurn, type TurnHead } from './read-turn.ts';
import type { Remembered } from './remembered-responses.ts';
import { TurnExchange, type TurnHost } from './turn-exchange.ts';
import { TurnQueue } from './turn-queue.ts';
import { warmUpEndpoint } from './warm-up.ts';

/** What the turns need of their connection. */
export interface TurnsHost extends Pick<TurnHost, 'incoming' | 'sendText' | 'terminate' | 'releaseMessage'> {
  /** Sends an error outside of any turn. */
  sendError(error: GatewayError, streamId: string | null): void;
  /** A turn was refused because of its key. */
  endPolicy(): void;
  /** No turn is in progress or waits. */
  onIdle(): void;
}

interface Turn {
  stream: string;
  read: ReadTurn & { head: Result<TurnHead> };
  messageBytes: number;
  exchange: TurnExchange | null;
}

interface RememberedOfStream extends Remembered {
  release: () => void;
}

/** The turns of one connection, and the last response of each of its streams. */
export class SocketTurns implements TurnHost {
  readonly incoming: IncomingMessage;
  readonly #deps: ApiDeps;
  readonly #host: TurnsHost;
  readonly #key: CachedKey;
  readonly #queue: TurnQueue<Turn>;
  /** The names of streams that have been used. */
  readonly #streams = new Set<string>();
  readonly #remembered = new Map<string, RememberedOfStream>();
  /** Messages are read in the order of their arrival, large ones in a thread. */
  #reading = Promise.resolve();
  #readingCount = 0;
  #refusedCount = 0;
  /** Reports that may still come, one for each turn. */
  #reportsLeft = 0;
  /** The connection has closed, or is dropped: no message is read any more. */
  #isClosed = false;

  constructor(deps: ApiDeps, host: TurnsHost, key: CachedKey) {
    this.incoming = host.incoming;
    this.#deps = deps;
    this.#host = host;
    this.#key = key;
    this.#queue = new TurnQueue(deps.sockets.limits.maxRunning);
  }

  get isIdle(): boolean {
    return this.#queue.runningCount + this.#queue.waitingCount + this.#readingCount === 0;
  }

  /**
   * Takes a message, whose memory is reserved.
   * @param error why it is refused without being read; null: it is read
   */
  add(message: Buffer, error: GatewayError | null): void {
    const { maxWaiting, maxRefused } = this.#deps.sockets.limits;
    // One piece of a connection has thousands of tiny messages, which would all be read before anything else happens.
    if (this.#readingCount >= maxWaiting + maxRefused) return this.#drop();
    this.#readingCount += 1;
    this.#reading = this.#reading
      .then(() => this.#read(message, error))
      .catch((error: unknown) => this.#fail(error));
  }

  /** Drops the turns that wait. */
  dropWaiting(): void {
    for (const { messageBytes } of this.#queue.clear()) this.#host.releaseMessage(messageBytes);
  }

  /** The connection has closed. */
  close(): void {
    this.#isClosed = true;
    this.dropWaiting();
    for (const { exchange } of this.#queue.running) exchange?.disconnect();
    for (const { release } of this.#remembered.values()) release();
    this.#remembered.clear();
  }

  /** The client has caught up. */
  drained(): void {
    for (const { exchange } of this.#queue.running) exchange?.drained();
  }

  sendText(text: Buffer, onSent?: () => void): boolean {
    return this.#host.sendText(text, onSent);
  }

  terminate(): void {
    this.#host.terminate();
  }

  releaseMessage(bytes: number): void {
    this.#host.releaseMessage(bytes);
  }

  findRemembered(responseId: string): Remembered | null {
    for (const response of this.#remembered.values()) if (response.responseId === responseId) return response;
    return null;
  }

  remember(stream: string, response: Remembered): void {
    this.#remembered.get(stream)?.release();
    this.#remembered.delete(stream);
    if (this.#isClosed) return;
    const bytes = response.items.reduce((sum, { length }) => sum + length, 0);
    const forget = () => void this.#remembered.delete(stream);
    const release = this.#deps.sockets.remembered.hold(this.#key.accountId, bytes, forget);
    if (release !== null) this.#remembered.set(stream, { ...response, release });
  }

  async #read(message: Buffer, refused: GatewayError | null): Promise<void> {
    const messageBytes = message.length;
    const read = this.#isClosed ? null : await this.#parse(message, refused);
    this.#readingCount -= 1;
    if (this.#isClosed || read === null) return this.#host.releaseMessage(messageBytes);
    const { streamId } = read;
    const head = read.head && this.#checkStream(streamId, read.head);
    if (head === null || this.#queue.waitingCount >= this.#deps.sockets.limits.maxWaiting) {
      this.#host.releaseMessage(messageBytes);
      if (head === null) this.#noteReport();
      else this.#refuseWaiting(streamId);
      if (this.isIdle) this.#host.onIdle();
      return;
    }
    this.#reportsLeft += 1;
    // No name can be empty.
    this.#queue.push({ stream: streamId ?? '', read: { ...read, head }, messageBytes, exchange: null });
    this.#startNext();
  }

  #parse(message: Buffer, refused: GatewayError | null): ReadTurn | Promise<ReadTurn | null> {
    if (refused !== null) return { body: message, streamId: null, head: { ok: false, error: refused } };
    if (!isForThread(message)) return readTurn(message);
    return readTurnInThread(this.#deps.bodyWorkers, {
      body: message,
      owner: this.#key.accountId,
      isWanted: () => !this.#isClosed,
    });
  }

  /** A turn that names one stream too many is refused in its place, so that it counts as a request. */
  #checkStream(streamId: string | null, head: Result<TurnHead>): Result<TurnHead> {
    const { maxStreams } = this.#deps.sockets.limits;
    if (streamId === null || this.#streams.has(streamId)) return head;
    if (this.#streams.size >= maxStreams) return tooManyStreams(maxStreams);
    this.#streams.add(streamId);
    return head;
  }

  /** Reports are free, so there can be only one for each turn. */
  #noteReport(): void {
    if (this.#reportsLeft > 0) this.#reportsLeft -= 1;
    else this.#noteRefused();
  }

  #refuseWaiting(streamId: string | null): void {
    const { maxWaiting } = this.#deps.sockets.limits;
    const message = `${maxWaiting} responses wait on this connection already. Wait until one of them has ended.`;
    this.#host.sendError({ code: 'rate_limit_requests', message }, streamId);
    this.#noteRefused();
  }

  #noteRefused(): void {
    this.#refusedCount += 1;
    if (this.#refusedCount > this.#deps.sockets.limits.maxRefused) this.#drop();
  }

  #drop(): void {
    this.#isClosed = true;
    this.#host.terminate();
  }

  #startNext(): void {
    for (let turn = this.#queue.start(); turn !== null; turn = this.#queue.start()) {
      const started = turn;
      this.#run(started).catch((error: unknown) => this.#fail(error));
    }
  }

  async #run(turn: Turn): Promise<void> {
    const { read, stream, messageBytes } = turn;
    const exchange = new TurnExchange({
      host: this,
      turn: read,
      stream,
      messageBytes,
      mayBeStored: this.#key.keepsResponses,
      onEnd: (status) => this.#end(turn, status),
    });
    turn.exchange = exchange;
    // Cached keys are used without waiting.
    const checked = authenticate(exchange, this.#deps);
    const found = checked instanceof Promise ? await checked : checked;
    const isWarmUp = read.head.ok && !read.head.value.generates;
    const spec = isWarmUp ? warmUpEndpoint : responsesEndpoint;
    if (found.ok) await answerCompletion(this.#deps, spec, exchange, found.value);
    else sendError(exchange, spec.dialect, found.error);
  }

  #end(turn: Turn, status: number | null): void {
    this.#queue.end(turn);
    if (status === 401) this.#host.endPolicy();
    this.#startNext();
    if (this.isIdle) this.#host.onIdle();
  }

  #fail(error: unknown): void {
    this.#deps.log.error({ err: error }, 'a message of a WebSocket failed inside the gateway');
    this.#host.sendError(BROKEN_GATEWAY, null);
    this.#drop();
  }
}

function tooManyStreams(most: number): Result<never> {
  const message = `This connection has used ${most} different values of stream_id, which is the limit. Use one of them, or open another connection.`;
  return deny('invalid_request', message, { providerCode: 'invalid_stream_id', param: 'stream_id' });
}
