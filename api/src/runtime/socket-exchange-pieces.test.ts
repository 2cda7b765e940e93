/** Large pieces of responses: they are written in parts, and count as taken when the caller has received them. */
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { ask, getBodies, READERS, serveExchanges } from './exchange-server.fixture.ts';

describe.each(READERS)('over %s', (reader) => {
  const site = serveExchanges(reader);

  describe('a large part of a stream', () => {
    const LARGE = [Buffer.alloc(3_000_000, 'a'), 'é'.repeat(500_000), ''];
    const ALL = 'a'.repeat(3_000_000) + 'é'.repeat(500_000);
    it('is sent in order with what is written before and after it, and counts as taken when it is sent', async () => {
      const taken: string[] = [];
      site.answer = (exchange) => {
        exchange.start(200, 'text/event-stream');
        exchange.writeLatin1('before ');
        expect(exchange.writePieces(LARGE, () => taken.push('one'))).toBe(false);
        exchange.write('between ü ');
        exchange.writePieces(LARGE, () => taken.push('two'));
        exchange.writeLatin1('after');
        exchange.end();
        expect(taken).toEqual([]);
      };
      site.client.write(ask('/a'));
      await expect.poll(() => site.received.endsWith('0\r\n\r\n'), { timeout: 5_000 }).toBe(true);
      const [body = ''] = getBodies(site.received);
      expect(Buffer.from(body, 'latin1').toString() === `before ${ALL}between ü ${ALL}after.`).toBe(true);
      expect(taken).toEqual(['one', 'two']);
    });

    it('informs its listener when more can be written', async () => {
      const onDrain = vi.fn<() => void>();
      site.answer = (exchange) => {
        exchange.listen({ onDrain, onDisconnect: () => undefined });
        exchange.start(200, 'text/event-stream');
        exchange.writePieces(LARGE, () => undefined);
      };
      site.client.write(ask('/a'));
      await expect.poll(() => onDrain.mock.calls.length, { timeout: 5_000 }).toBe(1);
      expect(site.received.length).toBeGreaterThan(3_900_000);
    });

    it('counts as taken when the caller disconnects', async () => {
      const onTaken = vi.fn<() => void>();
      site.answer = (exchange) => {
        exchange.start(200, 'text/event-stream');
        exchange.writePieces([Buffer.alloc(12_000_000)], onTaken);
        exchange.end();
      };
      site.client.pause().write(ask('/a'));
      await sleep(100);
      expect(onTaken).not.toHaveBeenCalled();
      site.client.destroy();
      await expect.poll(() => onTaken.mock.calls.length).toBe(1);
    });
  });

  describe('a large response', () => {
    const PIECES = [Buffer.alloc(6_000_000, 'a'), Buffer.alloc(6_000_000, 'b')];

    it('is sent whole, and counts as taken when the caller has received everything', async () => {
      const onTaken = vi.fn<() => void>();
      site.answer = (exchange) => exchange.sendPieces(200, 'application/json', PIECES, onTaken);
      site.client.write(ask('/a'));
      const head = () => site.received.indexOf('\r\n\r\n') + 4;
      await expect.poll(() => site.received.length - head(), { timeout: 5_000 }).toBe(12_000_000);
      expect(site.received.slice(head()) === 'a'.repeat(6_000_000) + 'b'.repeat(6_000_000)).toBe(true);
      expect(site.received).toContain('content-length: 12000000');
      expect(onTaken).toHaveBeenCalledTimes(1);
    });

    it('counts as taken when the caller disconnects', async () => {
      const onTaken = vi.fn<() => void>();
      site.answer = (exchange) => exchange.sendPieces(200, 'application/json', PIECES, onTaken);
      site.client.pause().write(ask('/a'));
      await sleep(100);
      expect(onTaken).not.toHaveBeenCalled();
      site.client.destroy();
      await expect.poll(() => onTaken.mock.calls.length).toBe(1);
    });

    it('is aborted if the caller takes nothing for a minute', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const onTaken = vi.fn<() => void>();
        const sent = Promise.withResolvers<void>();
        site.answer = (exchange) => {
          exchange.sendPieces(200, 'application/json', PIECES, onTaken);
          sent.resolve();
        };
        site.client.pause().write(ask('/a'));
        await sent.promise;
        // Until the buffers of the connection are full.
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
      'is aborted if the caller reads a little of the %s from time to time',
      async (kind) => {
        vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
        try {
          const onTaken = vi.fn<() => void>();
          site.answer = (exchange) => {
            if (kind === 'response')
              return exchange.sendPieces(200, 'application/json', [Buffer.alloc(60_000_000)], onTaken);
            exchange.start(200, 'text/event-stream');
            exchange.writePieces([Buffer.alloc(60_000_000)], onTaken);
          };
          site.client.pause().write(ask('/a'));
          await sleep(200);
          // The grace period, and the time that the bytes in the buffers of the connection pay for.
          vi.advanceTimersByTime(10_000);
          await sleep(50);
          expect(onTaken).not.toHaveBeenCalled();
          for (let minute = 0; minute < 30 && onTaken.mock.calls.length === 0; minute++) {
            site.client.read(64 * 1024);
            vi.advanceTimersByTime(60_000);
            await sleep(20);
          }
          expect(onTaken).toHaveBeenCalledTimes(1);
          // The whole would take over 15 hours at this pace.
          expect(site.received.length).toBeLessThan(30_000_000);
        } finally {
          vi.useRealTimers();
        }
      },
    );

    it('is aborted if the caller does not take the last bytes for a minute', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const onTaken = vi.fn<() => void>();
        site.answer = (exchange) =>
          exchange.sendPieces(200, 'application/json', [Buffer.from('{}')], onTaken);
        // A connection that takes nothing, with room for the whole response in the buffer of the process.
        const connection = new Duplex({ read: () => undefined, write: () => undefined });
        site.server.emit('connection', connection);
        connection.push(ask('/a'));
        for (let turns = 0; turns < 100 && connection.writableLength === 0; turns++) await sleep(10);
        await sleep(20);
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
});
