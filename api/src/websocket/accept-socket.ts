import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { GatewayError } from '@tollgate/core/errors/errors';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { WebSocketServer } from 'ws';
import type { ApiDeps } from '../deps.ts';
import { sendError } from '../errors/send-error.ts';
import { authenticate } from '../keys/authenticate.ts';
import { sendWebSocketRefusal } from '../routes/refuse-websocket.ts';
import { closeLingering } from '../runtime/close-lingering.ts';
import { NodeExchange } from '../runtime/node-exchange.ts';
import { ResponsesSocket } from './responses-socket.ts';

/** A message of this size still gets an error in band; the connection of a larger one closes with 1009. */
const MAX_MESSAGE_BYTES = BODY_LIMITS.maxBytes + 1024 * 1024;
const CLOSE_TIMEOUT_MS = 5_000;

const PATHS: ReadonlySet<string> = new Set(['/v1/responses', '/v1/v1/responses']);

const SHUTTING_DOWN: GatewayError = {
  code: 'shutting_down',
  message: 'This process of Tollgate is shutting down. Connect again.',
};

/** True for the handshake of a WebSocket of the Responses API. Other upgrades are ignored: the request is answered. */
export function isSocketRequest({ sockets }: Pick<ApiDeps, 'sockets'>, incoming: IncomingMessage): boolean {
  const [path = ''] = (incoming.url ?? '').split('?');
  return (
    sockets.limits.isEnabled &&
    incoming.method === 'GET' &&
    incoming.headers.upgrade?.toLowerCase() === 'websocket' &&
    PATHS.has(path)
  );
}

/** Answers handshakes: checks the key and the number of connections, before anything of a message is read. */
export function createSocketAcceptor(
  deps: ApiDeps,
): (incoming: IncomingMessage, socket: Socket, head: Buffer) => Promise<void> {
  const options = {
    noServer: true,
    clientTracking: false,
    // A compressed message may be a thousand times larger than its bytes.
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    maxFragments: 16 * 1024,
    maxBufferedChunks: 64 * 1024,
    closeTimeout: CLOSE_TIMEOUT_MS,
    handleProtocols: () => false as const,
  };
  const server = new WebSocketServer(options);
  return async (incoming, socket, head) => {
    // Without a listener, a lost connection would end the process.
    socket.on('error', () => socket.destroy());
    const exchange = openExchange(incoming, socket);
    const checked = authenticate(exchange, deps);
    const found = checked instanceof Promise ? await checked : checked;
    if (socket.destroyed) return;
    const dialect = 'openai-responses';
    if (!found.ok) {
      if (needsFallback(exchange)) return sendWebSocketRefusal(exchange, found.error.message);
      return void sendError(exchange, dialect, found.error);
    }
    if (deps.isDraining()) return void sendError(exchange, dialect, SHUTTING_DOWN);
    const key = found.value;
    if (!deps.sockets.hasRoom({ keyHash: key.hashHex, accountId: key.accountId }))
      return sendWebSocketRefusal(exchange, 'Too many WebSockets of this key, account or process are open.');
    server.handleUpgrade(incoming, socket, head, (webSocket) => {
      deps.sockets.add(new ResponsesSocket(deps, { webSocket, socket, incoming, key }));
    });
  };
}

/**
 * Codex repeats a handshake for six seconds if its key is refused. After 426 it uses HTTP immediately, and shows the error that it
 * gets there.
 */
function needsFallback(exchange: NodeExchange): boolean {
  return /^codex/i.test(exchange.header('user-agent') ?? '');
}

/** For a response over HTTP instead, after which the connection closes. */
function openExchange(incoming: IncomingMessage, socket: Socket): NodeExchange {
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.once('finish', () => {
    outgoing.detachSocket(socket);
    closeLingering(socket);
  });
  return new LateExchange(incoming, outgoing, socket);
}

/** Takes the socket when it answers: until then, it may become a WebSocket. */
class LateExchange extends NodeExchange {
  readonly #assign: () => void;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, socket: Socket) {
    super(incoming, outgoing);
    this.#assign = () => outgoing.assignSocket(socket);
  }

  override send(...response: Parameters<NodeExchange['send']>): void {
    this.#assign();
    super.send(...response);
  }
}
