import type { Buffer } from 'node:buffer';
import { Server, type RequestListener, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { DirectConnection, type ConnectionChecks, type ConnectionOwner } from './direct-connection.ts';
import type { DirectExchange } from './direct-exchange.ts';

export interface DirectRoutes {
  /** By path: requests of these paths bypass `node:http` if their head is plain. */
  routes: ReadonlyMap<string, (exchange: DirectExchange) => void>;
  isDraining: () => boolean;
}

/** In ms; see https://nodejs.org/api/http.html#class-httpserver */
export interface ConnectionLimits {
  headersTimeout: number;
  requestTimeout: number;
  keepAliveTimeout: number;
  keepAliveTimeoutBuffer: number;
  connectionsCheckingInterval: number;
}

/**
 * Node's HTTP server, except that it reads plain requests of the most latency-critical endpoints itself, which takes less
 * than half the time. Everything else, errors included, is for `node:http`, with the rest of its connection.
 */
export class DirectServer extends Server implements ConnectionOwner {
  readonly checks: ConnectionChecks;
  readonly keepAlive: string;
  readonly #direct: DirectRoutes;
  readonly #connections = new Set<DirectConnection>();
  /** Node's listeners for new connections. */
  readonly #accept: readonly ((socket: Socket) => void)[];

  constructor(options: ServerOptions & ConnectionLimits, listener: RequestListener, direct: DirectRoutes) {
    super(options, listener);
    this.#direct = direct;
    const { headersTimeout, requestTimeout, connectionsCheckingInterval: everyMs } = options;
    const { keepAliveTimeout, keepAliveTimeoutBuffer } = options;
    this.checks = {
      head: Math.ceil(headersTimeout / everyMs),
      request: Math.ceil(requestTimeout / everyMs),
      idle: Math.ceil((keepAliveTimeout + keepAliveTimeoutBuffer) / everyMs),
    };
    const seconds = Math.floor(keepAliveTimeout / 1000);
    this.keepAlive = `connection: keep-alive\r\nkeep-alive: timeout=${seconds}\r\n\r\n`;
    this.#accept = this.listeners('connection') as ((socket: Socket) => void)[];
    this.removeAllListeners('connection');
    this.on('connection', (socket: Socket) => this.#connections.add(new DirectConnection(this, socket)));
    this.on('listening', () => {
      const timer = setInterval(() => this.#check(), everyMs).unref();
      this.once('close', () => clearInterval(timer));
    });
  }

  find(path: string): ((exchange: DirectExchange) => void) | undefined {
    return this.#direct.routes.get(path);
  }

  isDraining(): boolean {
    return this.#direct.isDraining();
  }

  handOver(connection: DirectConnection, bytes: Buffer): void {
    this.remove(connection);
    connection.detach();
    const { socket } = connection;
    for (const accept of this.#accept) accept.call(this, socket);
    socket.emit('data', bytes);
  }

  refuse({ socket }: DirectConnection, code: 'ERR_HTTP_REQUEST_TIMEOUT' | 'HPE_INVALID_EOF_STATE'): void {
    const error = Object.assign(new Error('The request did not arrive'), { code });
    if (!this.emit('clientError', error, socket)) socket.destroy();
  }

  remove(connection: DirectConnection): void {
    this.#connections.delete(connection);
  }

  override closeIdleConnections(): void {
    super.closeIdleConnections();
    for (const connection of this.#connections) connection.closeIdle();
  }

  override closeAllConnections(): void {
    super.closeAllConnections();
    for (const { socket } of this.#connections) socket.destroy();
  }

  #check(): void {
    for (const connection of this.#connections) connection.check();
  }
}
