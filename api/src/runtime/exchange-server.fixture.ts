import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach } from 'vitest';
import { answerClientError } from './answer-client-error.ts';
import { DirectServer, type ConnectionLimits } from './direct/direct-server.ts';
import { NodeExchange } from './node-exchange.ts';
import type { SocketExchange } from './socket-exchange.ts';

/** Who reads the requests: `node:http`, or the gateway itself. */
export const READERS = ['node:http', 'direct'] as const;

const LIMITS: ConnectionLimits = {
  headersTimeout: 15_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 75_000,
  keepAliveTimeoutBuffer: 1_000,
  connectionsCheckingInterval: 2_000,
};

export interface ExchangeServer {
  server: Server;
  /** Set by each test. */
  answer: (exchange: SocketExchange, path: string) => void;
  /** False; a test may change it. */
  isDraining: boolean;
  /** The latest connection of the server. */
  socket: Socket;
  /** The other end of it. */
  client: Socket;
  /** What the client has received, one character for each byte. */
  received: string;
}

/** A server and a connection for each test of a file. Requests for other paths than /a, /b and /c are for `node:http`. */
export function serveExchanges(
  reader: (typeof READERS)[number],
  limits: Partial<ConnectionLimits> = {},
): ExchangeServer {
  const site = { received: '', isDraining: false } as ExchangeServer;
  beforeEach(async () => {
    site.received = '';
    site.isDraining = false;
    const answer = (path: string) => (exchange: SocketExchange) => site.answer(exchange, path);
    const paths = reader === 'direct' ? ['/a', '/b', '/c'] : [];
    site.server = new DirectServer(
      { ...LIMITS, ...limits },
      (incoming, outgoing) => {
        outgoing.on('error', () => undefined);
        if (site.isDraining) outgoing.shouldKeepAlive = false;
        answer(incoming.url ?? '')(new NodeExchange(incoming, outgoing));
      },
      { routes: new Map(paths.map((path) => [path, answer(path)])), isDraining: () => site.isDraining },
    );
    site.server.on('clientError', answerClientError);
    site.server.on('connection', (socket: Socket) => (site.socket = socket));
    await new Promise<void>((resolve) => site.server.listen(0, '127.0.0.1', resolve));
    site.client = connectTo(site);
    site.client.setEncoding('latin1').on('data', (piece) => (site.received += String(piece)));
  });
  afterEach(() => {
    site.client.destroy();
    site.server.closeAllConnections();
    site.server.close();
  });
  return site;
}

/** Another connection to the server. */
export function connectTo({ server }: ExchangeServer): Socket {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  return client.setNoDelay(true).on('error', () => undefined);
}

/** A request of the connection. */
export const ask = (path: string, head = '') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\n${head}content-length: 0\r\n\r\n`;

/** The received response bodies, chunks decoded; a remainder that is not a response is kept unchanged. */
export function getBodies(text: string): string[] {
  return text
    .split(/HTTP\/1\.1 200 OK\r\n/)
    .slice(1)
    .map((each) => {
      let rest = each.slice(each.indexOf('\r\n\r\n') + 4);
      let body = '';
      for (;;) {
        const size = Number.parseInt(/^[\da-f]+(?=\r\n)/.exec(rest)?.[0] ?? '-1', 16);
        if (size < 0) return `${body}|${rest}`;
        const start = rest.indexOf('\r\n') + 2;
        body += rest.slice(start, start + size);
        rest = rest.slice(start + size + 2);
        if (size === 0) return `${body}.${rest}`;
      }
    });
}
