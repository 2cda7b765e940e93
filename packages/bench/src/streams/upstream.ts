import { createServer, type Socket } from 'node:net';
import { encodeDelta, encodeMessageEnd, MESSAGE_START } from './anthropic-event.ts';
import { encodeChunk, encodeEnd, nowUs, RESPONSE_HEAD } from './event.ts';

/** Streams are spread over the time between two chunks, as streams that began independently are. */
const TICK_MS = 1;

interface Stream {
  socket: Socket;
  sent: number;
  withUsage: boolean;
  /** A message stream of Anthropic's in place of a chat completion. */
  isMessage: boolean;
}

export interface StreamUpstream extends AsyncDisposable {
  port: number;
}

export interface StreamUpstreamOptions {
  chunksPerStream: number;
  chunksPerSecond: number;
}

/**
 * A provider of both dialects that answers every request with a stream of a fixed rate and length. One timer serves all
 * of them: each stream has a slot in the period, and a tick writes the chunks of the slots that are due. A provider
 * that made a timer, an object tree and a JSON text per chunk would be slower than the gateway under test.
 */
export async function startStreamUpstream(options: StreamUpstreamOptions): Promise<StreamUpstream> {
  const slots = new SlotTimer(Math.round(1000 / options.chunksPerSecond / TICK_MS), options.chunksPerStream);
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let stream: Stream | undefined;
    readRequests(socket, (head, body) => {
      const isMessage = head.startsWith('POST /v1/messages ');
      stream = { socket, sent: 0, withUsage: body.includes('"include_usage":true'), isMessage };
      socket.write(RESPONSE_HEAD + (isMessage ? MESSAGE_START : ''), 'latin1');
      slots.add(stream);
    });
    socket.on('close', () => {
      sockets.delete(socket);
      if (stream !== undefined) slots.remove(stream);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The upstream listens on no port');
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Writes the next chunk of every stream once per period; it runs only while there are streams. */
class SlotTimer {
  readonly #slots: Set<Stream>[];
  readonly #chunksPerStream: number;
  #opened = 0;
  #open = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(slots: number, chunksPerStream: number) {
    this.#slots = Array.from({ length: slots }, () => new Set());
    this.#chunksPerStream = chunksPerStream;
  }

  add(stream: Stream): void {
    this.#slots[this.#opened++ % this.#slots.length]?.add(stream);
    this.#open += 1;
    // The first token is ready at once; what waits for a slot is the rest.
    this.#writeNext(stream);
    if (this.#timer === undefined) this.#start();
  }

  remove(stream: Stream): void {
    for (const slot of this.#slots) if (slot.delete(stream)) this.#open -= 1;
    if (this.#open > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #start(): void {
    const startedMs = performance.now();
    let ticks = 0;
    // A late tick catches up, so that the rate holds; the time in a chunk is the time of its write.
    this.#timer = setInterval(() => {
      const due = Math.floor((performance.now() - startedMs) / TICK_MS);
      for (; ticks < due; ticks++) {
        for (const stream of this.#slots[ticks % this.#slots.length] ?? []) this.#writeNext(stream);
      }
    }, TICK_MS);
  }

  #writeNext(stream: Stream): void {
    const { socket, withUsage, isMessage } = stream;
    if (stream.sent === this.#chunksPerStream) {
      const chunks = this.#chunksPerStream;
      socket.write(isMessage ? encodeMessageEnd(chunks) : encodeEnd(chunks, withUsage), 'latin1');
      this.remove(stream);
    } else {
      const encode = isMessage ? encodeDelta : encodeChunk;
      socket.write(encode(stream.sent, nowUs()), 'latin1');
      stream.sent += 1;
    }
  }
}

/** Calls back with the head and the body of each request that comes over a connection, one after the other. */
function readRequests(socket: Socket, onRequest: (head: string, body: string) => void): void {
  let text = '';
  let length = 0; // Of the request with which `text` begins; 0 until its head is complete.
  socket.setEncoding('latin1');
  socket.on('data', (piece) => {
    text += String(piece);
    for (;;) {
      if (length === 0) length = measureRequest(text);
      if (length === 0 || text.length < length) return;
      const headEnd = text.indexOf(HEAD_END);
      onRequest(text.slice(0, headEnd), text.slice(headEnd + HEAD_END.length, length));
      text = text.slice(length);
      length = 0;
    }
  });
}

const HEAD_END = '\r\n\r\n';

/** @returns the length of the first request, or 0 if its head is not complete */
function measureRequest(text: string): number {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd === -1) return 0;
  const bodyLength = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd))?.[1] ?? 0);
  return headEnd + HEAD_END.length + bodyLength;
}
