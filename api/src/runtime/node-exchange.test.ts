/** Streams that share a connection: one must not write into the response of another. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NodeExchange } from './node-exchange.ts';

let server: Server;
let answer: (exchange: NodeExchange, incoming: IncomingMessage, outgoing: ServerResponse) => void;
let client: Socket;
let received = '';

beforeEach(async () => {
  received = '';
  server = createServer((incoming, outgoing) => {
    incoming.resume();
    answer(new NodeExchange(incoming, outgoing), incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.setEncoding('latin1').on('data', (piece) => (received += String(piece)));
  client.on('error', () => undefined);
});
afterEach(() => {
  client.destroy();
  server.closeAllConnections();
  server.close();
});

const ask = (path: string, head = '') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\n${head}content-length: 0\r\n\r\n`;

/** The received response bodies, chunks decoded; a remainder that is not a response is kept unchanged. */
function bodiesOf(text: string): string[] {
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

/** A stream of several pieces named after the request's path; every other one as text with more than one byte per character. */
async function stream(exchange: NodeExchange, name: string, pieces: number): Promise<void> {
  exchange.start(200, 'text/event-stream');
  for (let count = 0; count < pieces; count++) {
    if (count % 2 === 0) exchange.writeLatin1(`${name}${count} `);
    else exchange.write(`é${name}${count} `);
    await sleep(1);
  }
  exchange.end();
}
const expected = (name: string, pieces: number) =>
  `${Array.from({ length: pieces }, (_, count) => (count % 2 === 0 ? `${name}${count} ` : `\xc3\xa9${name}${count} `)).join('')}.`;

describe('streams over one connection', () => {
  it('leave it usable for the next request', async () => {
    answer = (exchange, { url }) => void stream(exchange, url ?? '', 5);
    for (const [index, path] of ['/a', '/b', '/c'].entries()) {
      client.write(ask(path));
      await expect.poll(() => bodiesOf(received)[index]).toBe(expected(path, 5));
    }
    expect(bodiesOf(received)).toHaveLength(3);
  });

  it('are sent one after the other, whole, if they were requested together', async () => {
    // The later streams finish long before their turn.
    answer = (exchange, { url = '' }) => void stream(exchange, url, url === '/a' ? 40 : 4);
    client.write(ask('/a') + ask('/b') + ask('/c'));
    await expect.poll(() => bodiesOf(received).length).toBe(3);
    await expect
      .poll(() => bodiesOf(received))
      .toEqual([expected('/a', 40), expected('/b', 4), expected('/c', 4)]);
  });

  it('a stream that gets its turn in the middle continues with what was buffered', async () => {
    answer = (exchange, { url = '' }) => void stream(exchange, url, url === '/a' ? 4 : 60);
    client.write(ask('/a') + ask('/b'));
    await expect.poll(() => bodiesOf(received)).toEqual([expected('/a', 4), expected('/b', 60)]);
  });

  it('close the connection if the caller requested it', async () => {
    answer = (exchange, { url }) => void stream(exchange, url ?? '', 3);
    client.write(ask('/a', 'connection: close\r\n'));
    await new Promise((resolve) => client.once('close', resolve));
    expect(bodiesOf(received)).toEqual([expected('/a', 3)]);
  });

  it('write nothing into the next response after they end', async () => {
    let first: NodeExchange | null = null;
    answer = (exchange, { url }, outgoing) => {
      if (url === '/a') {
        first = exchange;
        outgoing.on('error', () => undefined);
        void stream(exchange, '/a', 3);
      } else {
        exchange.start(200, 'text/event-stream');
        exchange.writeLatin1('before ');
        exchange.writeLatin1('between ');
        first?.writeLatin1('stray');
        exchange.writeLatin1('after');
        exchange.end();
      }
    };
    client.write(ask('/a'));
    await expect.poll(() => bodiesOf(received)).toEqual([expected('/a', 3)]);
    client.write(ask('/b'));
    await expect.poll(() => bodiesOf(received)[1]).toBe('before between after.');
  });
});

describe('a caller that reads slowly', () => {
  it('is waited for with each piece that fills the connection, is reported once, and receives everything', async () => {
    const piece = 'x'.repeat(100_000);
    const pieces = 200;
    let drains = 0;
    let waits = 0;
    answer = (exchange, _incoming, outgoing) => {
      let sent = 0;
      const send = () => {
        while (sent < pieces) {
          sent += 1;
          if (exchange.writeLatin1(piece)) continue;
          waits += 1;
          return;
        }
        exchange.end();
      };
      exchange.listen({
        onGone: () => undefined,
        onDrain: () => {
          drains += 1;
          // Nothing is left in this process's buffers.
          expect(outgoing.writableLength).toBe(0);
          send();
        },
      });
      exchange.start(200, 'text/event-stream');
      send();
    };
    client.pause();
    client.write(ask('/a'));
    await sleep(200);
    expect(waits).toBeGreaterThan(0);
    expect(drains).toBeLessThan(pieces);
    client.resume();
    await expect
      .poll(() => bodiesOf(received)[0]?.length, { timeout: 5_000 })
      .toBe(piece.length * pieces + 1);
    expect(drains).toBeLessThanOrEqual(waits);
    expect(drains).toBeGreaterThanOrEqual(waits - 1);
  });

  it('leaves no listener on a connection that stays open', async () => {
    const counts: number[] = [];
    answer = (exchange, { socket }) => {
      counts.push(socket.listenerCount('drain'), socket.listenerCount('close'));
      exchange.start(200, 'text/event-stream');
      for (let count = 0; count < 50; count++) exchange.writeLatin1('x'.repeat(100_000));
      exchange.end();
    };
    for (let index = 0; index < 5; index++) {
      client.write(ask('/a'));
      await expect.poll(() => bodiesOf(received)[index]?.endsWith('.'), { timeout: 5_000 }).toBe(true);
    }
    expect(new Set(counts).size).toBeLessThanOrEqual(2);
    expect(counts.slice(-2)).toEqual(counts.slice(0, 2));
  });

  it('that disconnects is reported as gone', async () => {
    const gone = Promise.withResolvers<void>();
    answer = (exchange) => {
      exchange.listen({ onGone: () => gone.resolve(), onDrain: () => undefined });
      exchange.start(200, 'text/event-stream');
      exchange.writeLatin1('one');
      exchange.writeLatin1('two');
    };
    client.write(ask('/a'));
    await expect.poll(() => received).toContain('two');
    client.destroy();
    await gone.promise;
  });
});

describe('a large part of a stream', () => {
  const LARGE = [Buffer.alloc(3_000_000, 'a'), 'é'.repeat(500_000), ''];
  const ALL = 'a'.repeat(3_000_000) + 'é'.repeat(500_000);
  it('is sent in order with what is written before and after it, and counts as taken when it is sent', async () => {
    const taken: string[] = [];
    answer = (exchange) => {
      exchange.start(200, 'text/event-stream');
      exchange.writeLatin1('before ');
      expect(exchange.writePieces(LARGE, () => taken.push('one'))).toBe(false);
      exchange.write('between ü ');
      exchange.writePieces(LARGE, () => taken.push('two'));
      exchange.writeLatin1('after');
      exchange.end();
      expect(taken).toEqual([]);
    };
    client.write(ask('/a'));
    await expect.poll(() => received.endsWith('0\r\n\r\n'), { timeout: 5_000 }).toBe(true);
    const [body = ''] = bodiesOf(received);
    expect(Buffer.from(body, 'latin1').toString() === `before ${ALL}between ü ${ALL}after.`).toBe(true);
    expect(taken).toEqual(['one', 'two']);
  });

  it('tells its listener when more can be written', async () => {
    const onDrain = vi.fn<() => void>();
    answer = (exchange) => {
      exchange.listen({ onDrain, onGone: () => undefined });
      exchange.start(200, 'text/event-stream');
      exchange.writePieces(LARGE, () => undefined);
    };
    client.write(ask('/a'));
    await expect.poll(() => onDrain.mock.calls.length, { timeout: 5_000 }).toBe(1);
    expect(received.length).toBeGreaterThan(3_900_000);
  });

  it('counts as taken when the caller disconnects', async () => {
    const onTaken = vi.fn<() => void>();
    answer = (exchange) => {
      exchange.start(200, 'text/event-stream');
      exchange.writePieces([Buffer.alloc(12_000_000)], onTaken);
      exchange.end();
    };
    client.pause().write(ask('/a'));
    await sleep(100);
    expect(onTaken).not.toHaveBeenCalled();
    client.destroy();
    await expect.poll(() => onTaken.mock.calls.length).toBe(1);
  });
});

describe('a large response', () => {
  const PIECES = [Buffer.alloc(6_000_000, 'a'), Buffer.alloc(6_000_000, 'b')];

  it('is sent whole, and counts as taken when the caller has received everything', async () => {
    const onTaken = vi.fn<() => void>();
    answer = (exchange) => exchange.sendPieces(200, 'application/json', PIECES, onTaken);
    client.write(ask('/a'));
    const head = () => received.indexOf('\r\n\r\n') + 4;
    await expect.poll(() => received.length - head(), { timeout: 5_000 }).toBe(12_000_000);
    expect(received.slice(head()) === 'a'.repeat(6_000_000) + 'b'.repeat(6_000_000)).toBe(true);
    expect(received).toContain('content-length: 12000000');
    expect(onTaken).toHaveBeenCalledTimes(1);
  });

  it('counts as taken when the caller disconnects', async () => {
    const onTaken = vi.fn<() => void>();
    answer = (exchange) => exchange.sendPieces(200, 'application/json', PIECES, onTaken);
    client.pause().write(ask('/a'));
    await sleep(100);
    expect(onTaken).not.toHaveBeenCalled();
    client.destroy();
    await expect.poll(() => onTaken.mock.calls.length).toBe(1);
  });

  it('is aborted if the caller takes nothing for a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const onTaken = vi.fn<() => void>();
      answer = (exchange) => exchange.sendPieces(200, 'application/json', PIECES, onTaken);
      client.pause().write(ask('/a'));
      await sleep(200);
      vi.advanceTimersByTime(59_000);
      expect(onTaken).not.toHaveBeenCalled();
      vi.advanceTimersByTime(2_000);
      for (let turns = 0; turns < 100 && onTaken.mock.calls.length === 0; turns++) await sleep(10);
      expect(onTaken).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is aborted if the caller does not take the last bytes for a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const onTaken = vi.fn<() => void>();
      const ended = Promise.withResolvers<void>();
      answer = (exchange, _incoming, outgoing) => {
        outgoing.once('prefinish', () => ended.resolve());
        exchange.sendPieces(200, 'application/json', [Buffer.from('{}')], onTaken);
      };
      // A connection that takes nothing, with room for the whole response in the buffer of the process.
      const connection = new Duplex({ read: () => undefined, write: () => undefined });
      server.emit('connection', connection);
      connection.push(ask('/a'));
      await ended.promise;
      vi.advanceTimersByTime(59_000);
      await sleep(50);
      expect(onTaken).not.toHaveBeenCalled();
      vi.advanceTimersByTime(2_000);
      for (let turns = 0; turns < 100 && onTaken.mock.calls.length === 0; turns++) await sleep(10);
      expect(onTaken).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });
});
