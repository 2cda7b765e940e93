import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { getRetryAfterMs } from '@tollgate/core/errors/errors';
import { getErrorFormat } from '../errors/render-error.ts';
import { getRetryHeaders } from '../errors/retry-headers.ts';
import { createApp } from '../app.ts';
import type { ApiDeps } from '../deps.ts';
import type { OpenExchange } from '../exchange.ts';
import { createSocketAcceptor, isSocketRequest } from '../websocket/accept-socket.ts';
import { closeLingering } from './close-lingering.ts';
import { NodeExchange } from './node-exchange.ts';
import { answerRaw } from './raw-routes.ts';

/** The limits of a connection before its request reaches the app. */
const SERVER_LIMITS = {
  maxHeaderSize: 16 * 1024,
  /** Time limit for the headers … */
  headersTimeout: 15_000,
  /** … and for the whole request. */
  requestTimeout: 120_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 75_000,
};

/** Requests that wait on one connection for the responses before them. Hardly any client sends one before it has the response. */
const MAX_WAITING = 16;

/** Opens the raw exchange of a request from {@link createNodeServer}. */
const openNodeExchange: OpenExchange = (_request, env) => {
  const { incoming, outgoing } = env as HttpBindings;
  return new NodeExchange(incoming, outgoing);
};

/** Node's HTTP server: completions take the raw path, everything else goes through the app. */
export function createNodeServer(deps: ApiDeps): Server {
  const app = createApp(deps, openNodeExchange);
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
  });
  const mayWait = limitWaiting();
  const answer: RequestListener = (incoming, outgoing) => {
    if (!mayWait(incoming, outgoing)) return void incoming.socket.destroy();
    if (deps.isDraining()) outgoing.shouldKeepAlive = false;
    if (!answerRaw(deps, incoming, outgoing)) void listener(incoming, outgoing);
  };
  const server = createServer(
    { ...SERVER_LIMITS, shouldUpgradeCallback: (incoming) => isSocketRequest(deps, incoming) },
    answer,
  );
  const accept = createSocketAcceptor(deps);
  server.on('upgrade', (incoming, socket: Socket, head) => void accept(incoming, socket, head));
  // `Expect: 100-continue`: the exchange requests the body when it reads it, after the checks that need only headers.
  server.on('checkContinue', answer);
  server.on('clientError', answerClientError);
  return server;
}

/**
 * Counts the requests that wait on each connection: a few KiB can contain thousands, which would all be answered before
 * anything else happens.
 * @returns a function: false if the connection must be dropped
 */
function limitWaiting(): (incoming: IncomingMessage, outgoing: ServerResponse) => boolean {
  /** A missing entry means none. */
  const waiting = new WeakMap<Socket, number>();
  return ({ socket }, outgoing) => {
    if (outgoing.socket !== null) return true;
    // The parser reads what arrived together to its end, also of a dropped connection.
    if (socket.destroyed) return false;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    outgoing.once('socket', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    return count <= MAX_WAITING;
  };
}

/** Answers invalid HTTP: no dialect is known yet, so the error has OpenAI's format. */
function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, code, message } = getClientError(error.code);
  const body = getErrorFormat('openai-chat').body({ code, message }, '');
  const retry = Object.entries(getRetryHeaders(getRetryAfterMs({ code })));
  socket.write(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      retry.map(([name, value]) => `${name}: ${value}\r\n`).join('') +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  if (socket instanceof Socket) closeLingering(socket);
  else socket.end();
}

function getClientError(code: string | undefined) {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: '431 Request Header Fields Too Large',
        code: 'request_too_large',
        message: 'The request headers are larger than 16 KiB.',
      } as const;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        status: '408 Request Timeout',
        code: 'request_timeout',
        message: 'The request took too long to arrive.',
      } as const;
    default:
      return {
        status: '400 Bad Request',
        code: 'invalid_request',
        message: 'The request is not valid HTTP.',
      } as const;
  }
}

/** Starts to listen. @throws Error that names the port and its setting if the port is taken */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const message = `Port ${port} of ${host} is already in use: stop the process on it, or set API_PORT to another port`;
      reject(error.code === 'EADDRINUSE' ? new Error(message, { cause: error }) : error);
    });
    server.listen(port, host, () => resolve());
  });
}
