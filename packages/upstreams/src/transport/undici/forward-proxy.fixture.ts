import {
  createServer as createPlainServer,
  request,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface ForwardProxyOptions {
  /** Required in `proxy-authorization`. */
  authorization?: string;
  /** PEM; the proxy itself speaks TLS. */
  tls?: { key: string; cert: string };
  /** Accepts tunnels, but never answers. */
  isSilent?: boolean;
}

export interface ForwardProxy extends AsyncDisposable {
  url: string;
  /** `CONNECT localhost:443`, `POST http://…` in the order of their arrival. */
  requests: string[];
  /** Open connections to it and through it. */
  readonly sockets: ReadonlySet<Socket>;
}

/** A forward proxy: tunnels by CONNECT, and forwards requests with an absolute address. */
export async function startForwardProxy(options: ForwardProxyOptions = {}): Promise<ForwardProxy> {
  const { authorization, tls, isSilent } = options;
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const isAllowed = ({ headers }: IncomingMessage) =>
    authorization === undefined || headers['proxy-authorization'] === authorization;
  const forward = (incoming: IncomingMessage, response: ServerResponse) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    if (!isAllowed(incoming)) {
      response.writeHead(407).end('log in first');
      return;
    }
    const { 'proxy-authorization': _, ...headers } = incoming.headers;
    const outgoing = request(incoming.url ?? '', { method: incoming.method ?? '', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.writeHead(502).end());
    incoming.pipe(outgoing);
  };
  const server = tls === undefined ? createPlainServer(forward) : createSecureServer(tls, forward);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    requests.push(`CONNECT ${incoming.url}`);
    socket.on('error', () => undefined);
    if (isSilent === true) return;
    if (!isAllowed(incoming)) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const { hostname, port } = new URL(`http://${incoming.url}`);
    const target = connect({ host: hostname, port: Number(port) }, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    socket.on('close', () => target.destroy());
    target.on('close', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    requests,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
