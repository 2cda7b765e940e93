import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { deny, type Result } from '@tollgate/core/errors/errors';
import { createId } from '@tollgate/core/runtime/ids';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { idStem } from '@tollgate/dialects/openai-responses/envelope';
import type { Exchange, ExchangeListener } from '../exchange.ts';
import { BROKEN_BODY, shortageError, tooLarge, type ReadLimits } from '../request-body/read-limits.ts';
import { joinItems, readItems, readOutput, withMember } from './conversation-items.ts';
import { EventSplitter, findLargeData } from './event-splitter.ts';
import type { ReadTurn, TurnHead } from './read-turn.ts';
import type { Remembered } from './remembered-responses.ts';
import {
  bytesWithStream,
  encodeRefusal,
  encodeWhole,
  isPassedOn,
  readResponseEvent,
  toErrorEvent,
  withPrevious,
  withStream,
} from './socket-events.ts';

/** The connection of a turn. */
export interface TurnHost {
  /** The handshake. */
  readonly incoming: IncomingMessage;
  /**
   * Sends one message.
   * @param onSent called once, when it was sent or the client has disconnected
   * @returns false if the client reads too slowly: wait for `drained`
   */
  sendText(text: Buffer, onSent?: () => void): boolean;
  /** Drops the connection. */
  terminate(): void;
  /** The memory of the message is taken over. */
  releaseMessage(bytes: number): void;
  /** @returns null if the connection does not remember the response */
  findRemembered(responseId: string): Remembered | null;
  remember(stream: string, response: Remembered): void;
}

export interface TurnOptions {
  host: TurnHost;
  turn: ReadTurn & { head: Result<TurnHead> };
  /** The name of its stream, also of the one without a name. */
  stream: string;
  /** The size of the message. */
  messageBytes: number;
  /** True: responses that the connection does not remember may be stored. */
  mayBeStored: boolean;
  /** Called once. @param status of a refusal; null: there was none */
  onEnd: (status: number | null) => void;
}

const PREVIOUS = 'previous_response_id';
const REQUEST_TYPE = 'application/json';
/** Names of protocols over WebSocket, which providers are not asked for. */
const SOCKET_BETAS = /^responses_websockets=/;
const NO_ITEM = Buffer.from('{"role":"user","content":""}');

/** One `response.create` of a WebSocket: its response is sent as messages, with the events that a stream over HTTP has. */
export class TurnExchange implements Exchange {
  readonly startedAtMs = Date.now();
  readonly requestId = createId('req', this.startedAtMs);
  readonly method = 'POST';
  readonly #options: TurnOptions;
  readonly #headers: Record<string, string> = {};
  readonly #events = new EventSplitter();
  #listener: ExchangeListener | null = null;
  #continuedResponseId: string | null = null;
  /** The items before the output of the response; null: it cannot be continued. */
  #items: readonly Buffer[] | null = null;
  #hasTakenMessage = false;
  #isClosed = false;
  #hasEnded = false;

  constructor(options: TurnOptions) {
    this.#options = options;
    this.#headers['x-request-id'] = this.requestId;
  }

  get isDisconnected(): boolean {
    return this.#isClosed || this.#hasEnded;
  }

  get response(): never {
    throw new Error('A message of a WebSocket has no response of the framework');
  }

  get query(): string {
    const url = this.#options.host.incoming.url ?? '';
    const at = url.indexOf('?');
    return at < 0 ? '' : url.slice(at);
  }

  get continuedResponseId(): string | null {
    return this.#continuedResponseId;
  }

  get declaredBodyBytes(): number {
    return this.#options.messageBytes;
  }

  header(name: string): string | null {
    if (name === 'content-type') return REQUEST_TYPE;
    const value = this.#options.host.incoming.headers[name];
    const text = (Array.isArray(value) ? value.join(', ') : value) ?? null;
    return name === 'openai-beta' && text !== null ? withoutSocketBetas(text) : text;
  }

  readBody({ maxBytes, reservation }: ReadLimits): Promise<Result<Buffer>> {
    const { turn, messageBytes } = this.#options;
    this.releaseMessage();
    if (this.#isClosed) return Promise.resolve(deny('invalid_request', BROKEN_BODY));
    if (messageBytes > maxBytes) return Promise.resolve(tooLarge(maxBytes));
    const shortage = reservation.grow(messageBytes);
    if (shortage !== null) return Promise.resolve({ ok: false, error: shortageError(shortage) });
    if (!turn.head.ok) return Promise.resolve(turn.head);
    return Promise.resolve(this.#readTurn(turn.body, turn.head.value, { maxBytes, reservation }));
  }

  /** Gives the memory of the message back to the connection. Only the first call counts. */
  releaseMessage(): void {
    if (this.#hasTakenMessage) return;
    this.#hasTakenMessage = true;
    this.#options.host.releaseMessage(this.#options.messageBytes);
  }

  setHeader(name: string, value: string): void {
    this.#headers[name] = value;
  }

  send(status: number, _contentType: string, body: Buffer | string): void {
    if (this.isDisconnected) return;
    const text = body.toString();
    if (status >= 400) this.#sendText(encodeRefusal(status, text, this.#headers));
    else this.#sendWhole(text);
    this.#end(status >= 400 ? status : null);
  }

  sendPieces(status: number, contentType: string, pieces: readonly Buffer[], onTaken: () => void): void {
    this.send(status, contentType, Buffer.concat(pieces));
    onTaken();
  }

  start(): void {
    // The first message has no head.
  }

  write(text: string): boolean {
    return this.writeLatin1(Buffer.from(text).toString('latin1'));
  }

  writeLatin1(bytes: string): boolean {
    if (this.isDisconnected) return true;
    let hasRoom = true;
    for (const data of this.#events.push(bytes)) hasRoom = this.#sendEvent(data);
    return hasRoom;
  }

  writePieces(pieces: readonly (Buffer | string)[], onTaken: () => void): boolean {
    if (this.isDisconnected) {
      onTaken();
      return true;
    }
    const bytes = Buffer.concat(
      pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
    );
    const large = this.#events.isBetween ? findLargeData(bytes) : null;
    const { host, turn } = this.#options;
    if (large !== null && isPassedOn(large))
      return host.sendText(bytesWithStream(large, turn.streamId), onTaken);
    const found = this.#events.push(bytes.toString('latin1'));
    if (found.length === 0) onTaken();
    let hasRoom = true;
    for (const [index, data] of found.entries())
      hasRoom = this.#sendEvent(data, index === found.length - 1 ? onTaken : undefined);
    return hasRoom;
  }

  end(): void {
    if (!this.isDisconnected) this.#end(null);
  }

  destroy(): void {
    this.#options.host.terminate();
  }

  listen(listener: ExchangeListener): void {
    this.#listener = listener;
    if (this.#isClosed) listener.onDisconnect();
  }

  /** The connection has closed. */
  disconnect(): void {
    if (this.isDisconnected) return;
    this.#isClosed = true;
    this.releaseMessage();
    this.#listener?.onDisconnect();
  }

  /** The client has caught up. */
  drained(): void {
    if (!this.isDisconnected) this.#listener?.onDrain();
  }

  #readTurn(
    body: Buffer,
    head: TurnHead,
    limits: Pick<ReadLimits, 'maxBytes' | 'reservation'>,
  ): Result<Buffer> {
    const { previousId, input, generates } = head;
    const { host, mayBeStored } = this.#options;
    const remembered = previousId === null ? null : host.findRemembered(previousId);
    if (previousId !== null && (remembered === null || !head.isWhole))
      return mayBeStored || !head.isWhole
        ? { ok: true, value: withMember(body, PREVIOUS, Buffer.from(JSON.stringify(previousId))) }
        : notFound(previousId);
    this.#continuedResponseId = previousId;
    const given = input === null ? Buffer.alloc(0) : readItems(body.subarray(input.start, input.end));
    // The parser says what is wrong.
    if (given === null || (input === null && generates && remembered === null))
      return { ok: true, value: body };
    const earlier = remembered?.items ?? [];
    const earlierBytes = sumBytes(earlier);
    if (body.length + earlierBytes > limits.maxBytes) return tooLarge(limits.maxBytes);
    const shortage = limits.reservation.grow(given.length + earlierBytes);
    if (shortage !== null) return { ok: false, error: shortageError(shortage) };
    const items = [...earlier, given].filter(({ length }) => length > 0);
    if (head.isWhole) this.#items = items;
    if (input !== null && remembered === null && items.length > 0) return { ok: true, value: body };
    const own = items.length === 0 && !generates ? NO_ITEM : given;
    return { ok: true, value: joinItems(body, { place: input, own, earlier }) };
  }

  /** A response that does not come as a stream. */
  #sendWhole(text: string): void {
    const response = parseJsonObject(text) ?? {};
    const id = response['id'] === '' ? `resp_${idStem(this.requestId)}` : response['id'];
    for (const event of encodeWhole({ ...response, id })) this.#sendEvent(event);
  }

  #sendEvent(data: string, onSent?: () => void): boolean {
    return this.#sendText(toErrorEvent(data) ?? this.#readResponse(data) ?? data, onSent);
  }

  /** @returns the event as it is sent; null: as it is */
  #readResponse(data: string): string | null {
    const event = readResponseEvent(data);
    if (event === null) return null;
    const { id } = event.response;
    if (event.isEnd && this.#items !== null && typeof id === 'string') {
      const output = readOutput(event.response);
      const items = output.length === 0 ? this.#items : [...this.#items, output];
      this.#options.host.remember(this.#options.stream, { responseId: id, items });
    }
    const { head } = this.#options.turn;
    const previousId = head.ok ? head.value.previousId : null;
    return previousId === null ? null : withPrevious(event, previousId);
  }

  #sendText(data: string, onSent?: () => void): boolean {
    const text = Buffer.from(withStream(data, this.#options.turn.streamId), 'latin1');
    return this.#options.host.sendText(text, onSent);
  }

  #end(status: number | null): void {
    this.#hasEnded = true;
    this.releaseMessage();
    this.#options.onEnd(status);
  }
}

function withoutSocketBetas(betas: string): string | null {
  const others = betas.split(',').map((beta) => beta.trim());
  return others.filter((beta) => !SOCKET_BETAS.test(beta)).join(', ') || null;
}

function sumBytes(items: readonly Buffer[]): number {
  return items.reduce((sum, { length }) => sum + length, 0);
}

function notFound(id: string): Result<never> {
  const message = `Previous response with id '${id.slice(0, 100)}' not found.`;
  return deny('previous_response_not_found', message, { param: PREVIOUS });
}
