import { Buffer } from 'node:buffer';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import type { UpstreamCall, UpstreamFailure, UpstreamRequest, UpstreamTransport } from '../transport.ts';

/** One received request. */
export interface RawRequest {
  /** One character per byte. */
  head: string;
  body: Buffer;
  socket: Socket;
  /** Index of the request on its connection, from 0. */
  index: number;
}

export interface RawServer extends AsyncDisposable {
  origin: string;
  /** Number of opened connections. */
  readonly opened: number;
  readonly sockets: ReadonlySet<Socket>;
}

export interface RawServerOptions {
  /** PEM; enables TLS. */
  tls?: { key: string; cert: string; maxVersion?: 'TLSv1.2'; secureOptions?: number };
  onConnection?: (socket: Socket) => void;
}

/** A server that responds to each request with the bytes that `answer` writes. */
export async function startRawServer(
  answer: (request: RawRequest) => void,
  { tls, onConnection }: RawServerOptions = {},
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let opened = 0;
  const take = (socket: Socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    onConnection?.(socket);
    readRequests(socket, answer);
  };
  const server: Server =
    tls === undefined
      ? createServer({ noDelay: true }, take)
      : createSecureServer({ ...tls, ALPNProtocols: ['http/1.1'] }, take);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    sockets,
    get opened() {
      return opened;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readRequests(socket: Socket, answer: (request: RawRequest) => void): void {
  let pieces: Buffer[] = [];
  let size = 0;
  // Pieces are joined only above this size.
  let wanted = 0;
  let index = 0;
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece);
    size += piece.length;
    while (size >= wanted && size > 0) {
      const bytes = Buffer.concat(pieces);
      pieces = [bytes];
      const headEnd = bytes.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const head = bytes.toString('latin1', 0, headEnd + 4);
      wanted = headEnd + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      if (size < wanted) return;
      answer({ head, body: bytes.subarray(headEnd + 4, wanted), socket, index });
      index += 1;
      pieces = [bytes.subarray(wanted)];
      size -= wanted;
      wanted = 0;
    }
  });
}

/** The result of a call. */
export type Outcome =
  | { status: number; header: (name: string) => string | null; body: string }
  | { failure: UpstreamFailure['kind']; detail: string };

/** Sends a request (default: a small one), and waits for its end and until its connection is reusable. */
export function ask(
  transport: UpstreamTransport,
  request: Partial<UpstreamRequest> & { origin: string },
  onChunk?: (call: UpstreamCall) => void,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let status = 0;
    let header: (name: string) => string | null = () => null;
    const chunks: Buffer[] = [];
    const call = transport.send(
      { path: '/v1/messages', headers: [], body: Buffer.from('{}'), ...request },
      {
        onStart: (...start) => ([status, header] = start),
        onData: (chunk) => {
          chunks.push(chunk);
          onChunk?.(call);
        },
        onEnd: () => {
          const body = Buffer.concat(chunks).toString('latin1');
          setImmediate(() => setImmediate(() => resolve({ status, header, body })));
        },
        onError: ({ kind, detail }) => resolve({ failure: kind, detail }),
      },
    );
  });
}
