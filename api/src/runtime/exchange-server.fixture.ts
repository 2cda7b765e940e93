import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach } from 'vitest';
import { NodeExchange } from './node-exchange.ts';

export interface ExchangeServer {
  server: Server;
  /** Set by each test. */
  answer: (exchange: NodeExchange, incoming: IncomingMessage, outgoing: ServerResponse) => void;
  /** A connection to the server. */
  client: Socket;
  /** What the connection has received, one character for each byte. */
  received: string;
}

/** A server and a connection for each test of a file. */
export function serveExchanges(): ExchangeServer {
  const site = { received: '' } as ExchangeServer;
  beforeEach(async () => {
    site.received = '';
    site.server = createServer((incoming, outgoing) => {
      incoming.resume();
      site.answer(new NodeExchange(incoming, outgoing), incoming, outgoing);
    });
    await new Promise<void>((resolve) => site.server.listen(0, '127.0.0.1', resolve));
    site.client = connect((site.server.address() as AddressInfo).port, '127.0.0.1');
    site.client.setEncoding('latin1').on('data', (piece) => (site.received += String(piece)));
    site.client.on('error', () => undefined);
  });
  afterEach(() => {
    site.client.destroy();
    site.server.closeAllConnections();
    site.server.close();
  });
  return site;
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
