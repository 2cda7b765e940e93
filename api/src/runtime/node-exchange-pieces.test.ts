/** Large pieces of responses: they are written in parts, and count as taken when the caller has received them. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NodeExchange } from './node-exchange.ts';
import { bodiesOf } from './received-bodies.fixture.ts';

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

  it('informs its listener when more can be written', async () => {
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

  it.each(['response', 'part of a stream'])(
    'is aborted if the caller takes a little of the %s from time to time',
    async (kind) => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      try {
        const onTaken = vi.fn<() => void>();
        answer = (exchange) => {
          if (kind === 'response')
            return exchange.sendPieces(200, 'application/json', [Buffer.alloc(60_000_000)], onTaken);
          exchange.start(200, 'text/event-stream');
          exchange.writePieces([Buffer.alloc(60_000_000)], onTaken);
        };
        client.pause().write(ask('/a'));
        await sleep(200);
        // The grace period, and the time that the bytes in the buffers of the connection pay for.
        vi.advanceTimersByTime(10_000);
        await sleep(50);
        expect(onTaken).not.toHaveBeenCalled();
        for (let minute = 0; minute < 30 && onTaken.mock.calls.length === 0; minute++) {
          client.read(64 * 1024);
          vi.advanceTimersByTime(60_000);
          await sleep(20);
        }
        expect(onTaken).toHaveBeenCalledTimes(1);
        // The whole would take over 15 hours at this pace.
        expect(received.length).toBeLessThan(30_000_000);
      } finally {
        vi.useRealTimers();
      }
    },
  );

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
