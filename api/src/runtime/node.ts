import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { createApp } from '../app.ts';
import type { ApiDeps } from '../deps.ts';
import type { OpenExchange } from '../exchange.ts';
import { createSocketAcceptor, isSocketRequest } from '../websocket/accept-socket.ts';
import { answerClientError } from './answer-client-error.ts';
import { DirectServer } from './direct/direct-server.ts';
import { KEEP_ALIVE_BUFFER_MS, KEEP_ALIVE_MS } from './keep-alive.ts';
import { NodeExchange } from './node-exchange.ts';
import { createRawRoutes } from './raw-routes.ts';

/** The limits of a connection before its request reaches the app. */
const SERVER_LIMITS = {
  maxHeaderSize: 16 * 1024,
  /** Time limit for the headers … */
  headersTimeout: 15_000,
  /** … and for the whole request. */
  requestTimeout: 120_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: KEEP_ALIVE_MS,
  keepAliveTimeoutBuffer: KEEP_ALIVE_BUFFER_MS,
};

/** Requests that wait on one connection for the responses before them. Hardly any client sends one before it has the response. */
const MAX_WAITING = 16;

/** Opens the raw exchange of a request from {@link createNodeServer}. */
const openNodeExchange: OpenExchange = (_request, env) => {
  const { incoming, outgoing } = env as HttpBindings;
  return new NodeExchange(incoming, outgoing);
};

/**
 * Node's HTTP server: completions take the raw path, everything else goes through the app. Most completions do not even go
 * through `node:http`.
 */
export function createNodeServer(deps: ApiDeps): Server {
  const app = createApp(deps, openNodeExchange);
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
    // Checks of load balancers use HTTP/1.0, often without `Host`. No answer depends on the name.
    hostname: 'localhost',
  });
  const routes = createRawRoutes(deps);
  const mayWait = limitWaiting();
  const answer: RequestListener = (incoming, outgoing) => {
    if (!mayWait(incoming, outgoing)) return void incoming.socket.destroy();
    if (deps.isDraining()) outgoing.shouldKeepAlive = false;
    const route = incoming.method === 'POST' ? routes.get(getPath(incoming)) : undefined;
    if (route === undefined) void listener(incoming, outgoing);
    else route(new NodeExchange(incoming, outgoing));
  };
  const server = new DirectServer(
    { ...SERVER_LIMITS, shouldUpgradeCallback: (incoming) => isSocketRequest(deps, incoming) },
    answer,
    { routes, isDraining: () => deps.isDraining() },
  );
  const accept = createSocketAcceptor(deps);
  server.on('upgrade', (incoming, socket: Socket, head) => void accept(incoming, socket, head));
  // `Expect: 100-continue`: the exchange requests the body when it reads it, after the checks that need only headers.
  server.on('checkContinue', answer);
  server.on('clientError', answerClientError);
  return server;
}

function getPath({ url = '' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
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
