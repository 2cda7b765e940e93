import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { getRetryAfterMs, type GatewayError } from '@tollgate/core/errors/errors';
import type { WebSocket } from 'ws';
import type { ApiDeps } from '../deps.ts';
import { getErrorFormat } from '../errors/render-error.ts';
import { getRetryHeaders } from '../errors/retry-headers.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { shortageError, SLOW_BODY } from '../request-body/read-limits.ts';
import { isReadSlowly } from '../runtime/watch-sending.ts';
import { WRITE_STALL_MS } from '../runtime/write-stall.ts';
import type { OpenSocket } from './open-sockets.ts';
import { ReceivedBytes } from './received-bytes.ts';
import { CLOSE } from './socket-limits.ts';
import { encodeRefusal, withStream } from './socket-events.ts';
import { SocketTurns, type TurnsHost } from './socket-turns.ts';

/** Codex and the SDKs know this code, and open a new connection. */
const OLD: GatewayError = {
  code: 'invalid_request',
  providerCode: 'websocket_connection_limit_reached',
  message:
    'Responses websocket connection limit reached (60 minutes). Create a new websocket connection to continue.',
};
const NOT_TEXT: GatewayError = {
  code: 'invalid_request',
  message: 'Messages must be text: send JSON in text frames.',
};

interface Ending {
  code: number;
  reason: string;
  /** Sent before the connection closes; null: none. */
  error: GatewayError | null;
}

/** One WebSocket of the Responses API (https://developers.openai.com/api/docs/guides/websocket-mode), until it closes. */
export class ResponsesSocket implements OpenSocket, TurnsHost {
  readonly keyHash: string;
  readonly accountId: string;
  readonly incoming: IncomingMessage;
  readonly #deps: ApiDeps;
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #received: ReceivedBytes;
  readonly #turns: SocketTurns;
  readonly #openedAtMs: number;
  #activeAtMs: number;
  /** The last ping, unless something has arrived since. */
  #pingedAtMs: number | null = null;
  #heardAtMs: number;
  #sentBytes = 0;
  #sentAtMs: number;
  /** When much began to wait for the client, and what it had taken until then; null: not much waits. */
  #backlog: { sinceMs: number; sentBytes: number } | null = null;
  /** Pings and pongs of the client since the last tick. */
  #controlFrames = 0;
  /** What happens once no turn is in progress. */
  #ending: Ending | null = null;
  #isClosing = false;

  constructor(
    deps: ApiDeps,
    opened: { webSocket: WebSocket; socket: Socket; incoming: IncomingMessage; key: CachedKey },
  ) {
    const { webSocket, socket, incoming, key } = opened;
    this.#deps = deps;
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.incoming = incoming;
    this.keyHash = key.hashHex;
    this.accountId = key.accountId;
    this.#openedAtMs = deps.clock.nowMs();
    this.#activeAtMs = this.#openedAtMs;
    this.#heardAtMs = this.#openedAtMs;
    this.#sentAtMs = this.#openedAtMs;
    this.#received = new ReceivedBytes(deps.bodyBudget.open(key.accountId));
    this.#turns = new SocketTurns(deps, this, key);
    // Before the library reads a piece, and after.
    socket.prependListener('data', (piece: Buffer) => this.#onPiece(piece));
    socket.on('data', (piece: Buffer) => this.#received.settle(piece));
    socket.on('drain', () => this.#turns.drained());
    webSocket.on('message', (data, isBinary) => this.#onMessage(data as Buffer, isBinary));
    webSocket.on('ping', () => this.#onControlFrame());
    webSocket.on('pong', () => this.#onControlFrame());
    // It closes after this, too.
    webSocket.on('error', () => undefined);
    webSocket.on('close', () => this.#onClose());
  }

  sendText(text: Buffer, onSent?: () => void): boolean {
    // The callback is also called if the connection is lost.
    this.#webSocket.send(text, { binary: false, compress: false }, () => onSent?.());
    return !this.#socket.writableNeedDrain;
  }

  sendError(error: GatewayError, streamId: string | null): void {
    const format = getErrorFormat('openai-responses');
    const headers = getRetryHeaders(getRetryAfterMs(error));
    const event = encodeRefusal(format.getStatus(error), format.body(error, ''), headers);
    this.sendText(Buffer.from(withStream(event, streamId), 'latin1'));
  }

  releaseMessage(bytes: number): void {
    this.#received.release(bytes);
  }

  terminate(): void {
    this.#isClosing = true;
    this.#webSocket.terminate();
  }

  endKey(error: GatewayError): void {
    // Its responses in progress have ended with the error already.
    const { isIdle } = this.#turns;
    this.#endSoon({ code: CLOSE.policy, reason: 'The API key is not active.', error: isIdle ? error : null });
  }

  endPolicy(): void {
    this.#endSoon({ code: CLOSE.policy, reason: 'The API key is not active.', error: null });
  }

  drain(): void {
    this.#endSoon({ code: CLOSE.restart, reason: 'The service restarts.', error: null });
  }

  onIdle(): void {
    this.#activeAtMs = this.#deps.clock.nowMs();
    if (this.#ending !== null) this.#close(this.#ending);
  }

  tick(): void {
    this.#controlFrames = 0;
    if (this.#isClosing) return;
    const nowMs = this.#deps.clock.nowMs();
    const { maxAgeMs, idleMs, pingMs } = this.#deps.sockets.limits;
    if (this.#isStalled(nowMs) || this.#isReadSlowly(nowMs)) this.terminate();
    else if (this.#received.isTooSlow(this.#deps.bodyPace, nowMs))
      this.#close({ code: CLOSE.policy, reason: 'The message arrived too slowly.', error: SLOW_BODY });
    else if (nowMs - this.#openedAtMs >= maxAgeMs)
      this.#endSoon({ code: CLOSE.goingAway, reason: 'The connection is too old.', error: OLD });
    else if (this.#turns.isIdle && nowMs - this.#activeAtMs >= idleMs)
      this.#close({ code: CLOSE.goingAway, reason: 'The connection was idle.', error: null });
    else this.#ping(nowMs, pingMs);
  }

  #ping(nowMs: number, everyMs: number): void {
    if (nowMs - this.#heardAtMs < everyMs) return;
    if (this.#pingedAtMs === null) {
      this.#pingedAtMs = nowMs;
      this.#webSocket.ping();
    } else if (nowMs - this.#pingedAtMs >= everyMs) this.terminate();
  }

  /** True if the client reads nothing of what was sent to it. */
  #isStalled(nowMs: number): boolean {
    const { bytesWritten, writableLength } = this.#socket;
    const sentBytes = bytesWritten - writableLength;
    if (writableLength === 0 || sentBytes !== this.#sentBytes) {
      this.#sentBytes = sentBytes;
      this.#sentAtMs = nowMs;
    }
    return nowMs - this.#sentAtMs >= WRITE_STALL_MS;
  }

  /** True if the client reads slowly what was sent to it, while a large response waits in memory. */
  #isReadSlowly(nowMs: number): boolean {
    const { bytesWritten, writableLength } = this.#socket;
    const { maxUnsentBytes, sendingPace } = this.#deps.sockets.limits;
    if (writableLength <= maxUnsentBytes) {
      this.#backlog = null;
      return false;
    }
    const taken = bytesWritten - writableLength;
    this.#backlog ??= { sinceMs: nowMs, sentBytes: taken };
    const { sinceMs, sentBytes } = this.#backlog;
    return isReadSlowly(taken - sentBytes, nowMs - sinceMs, sendingPace);
  }

  #onPiece(piece: Buffer): void {
    const nowMs = this.#deps.clock.nowMs();
    this.#heardAtMs = nowMs;
    this.#pingedAtMs = null;
    const shortage = this.#received.add(piece, nowMs);
    if (this.#isClosing) {
      // Until the client closes too, the library would keep its messages. The close timeout drops the connection.
      if (shortage !== null) this.#webSocket.pause();
      return;
    }
    if (shortage === null) {
      if (this.#received.isLarge) this.#takeTurns(piece.length);
      return;
    }
    this.sendError(shortageError(shortage), null);
    this.#isClosing = true;
    this.#webSocket.close(CLOSE.tryLater, 'There is no memory for the message.');
    // The rest of the message would still be kept.
    this.#socket.destroySoon();
  }

  /** Large messages of one account are read as fast as its other large bodies. */
  #takeTurns(bytes: number): void {
    const { bodyTurns } = this.#deps;
    if (!bodyTurns.spend(this.accountId, bytes)) return;
    this.#socket.pause();
    bodyTurns.wait(this.accountId, () => {
      if (!this.#webSocket.isPaused) this.#socket.resume();
    });
  }

  /** The smallest frames cost no memory, but time. */
  #onControlFrame(): void {
    this.#controlFrames += 1;
    if (this.#controlFrames > this.#deps.sockets.limits.maxControlFrames) this.terminate();
  }

  #onMessage(message: Buffer, isBinary: boolean): void {
    if (this.#isClosing || this.#ending !== null) return;
    // It sends without reading the answers.
    if (this.#socket.writableLength > this.#deps.sockets.limits.maxUnsentBytes) return this.terminate();
    this.#activeAtMs = this.#deps.clock.nowMs();
    this.#received.keep(message.length);
    this.#turns.add(message, isBinary ? NOT_TEXT : null);
  }

  #endSoon(ending: Ending): void {
    if (this.#isClosing || this.#ending !== null) return;
    this.#turns.dropWaiting();
    if (this.#turns.isIdle) this.#close(ending);
    else this.#ending = ending;
  }

  #close({ code, reason, error }: Ending): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    if (error !== null) this.sendError(error, null);
    this.#webSocket.close(code, reason);
  }

  #onClose(): void {
    this.#isClosing = true;
    this.#turns.close();
    this.#received.close();
    this.#deps.sockets.remove(this);
  }
}
