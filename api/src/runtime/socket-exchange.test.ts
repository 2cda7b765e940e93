/** Streams that share a connection: one must not write into the response of another. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { ask, getBodies, READERS, serveExchanges } from './exchange-server.fixture.ts';
import type { SocketExchange } from './socket-exchange.ts';

/** A stream of several pieces named after the request's path; every other one as text with more than one byte per character. */
async function stream(exchange: SocketExchange, name: string, pieces: number): Promise<void> {
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

describe.each(READERS)('over %s', (reader) => {
  const site = serveExchanges(reader);

  describe('streams over one connection', () => {
    it('end once: what is written to a response that has ended is discarded', async () => {
      site.answer = (exchange, path) => {
        if (path === '/a') exchange.send(200, 'text/plain', 'whole');
        void stream(exchange, path, 3).then(() => stream(exchange, '/late', 3));
      };
      site.client.write(ask('/a') + ask('/b'));
      await expect.poll(() => site.received).toContain('/b2');
      await sleep(20);
      expect(site.received).toContain('whole');
      expect(site.received).not.toMatch(/\/a0|\/late/);
    });

    it('send their last part with their end in one write, after all others', async () => {
      const lasts: string[][] = [];
      site.answer = (exchange) => {
        const write = vi.spyOn(site.socket, 'write');
        exchange.start(200, 'text/event-stream');
        exchange.writeLatin1('first ');
        exchange.writeLatin1('last ', true);
        exchange.writeLatin1('of all', true);
        exchange.end();
        const written = write.mock.calls.map(([data]) => String(data));
        write.mockRestore();
        lasts.push(written.filter((data) => data.includes('last ') || data.includes('of all')));
      };
      for (const index of [0, 1]) {
        site.client.write(ask('/a'));
        await expect.poll(() => getBodies(site.received)[index]).toBe('first last of all.');
      }
      const last = '5\r\nlast \r\n6\r\nof all\r\n0\r\n\r\n';
      expect(lasts).toEqual([[last], [last]]);
    });

    it('send a last part that others follow before them', async () => {
      site.answer = (exchange) => {
        exchange.start(200, 'text/event-stream');
        exchange.writeLatin1('one ', true);
        exchange.write('two ');
        exchange.writeLatin1('three ', true);
        exchange.writePieces(['four ', Buffer.from('five')], () => undefined);
        exchange.end();
      };
      site.client.write(ask('/a'));
      await expect.poll(() => getBodies(site.received)).toEqual(['one two three four five.']);
    });

    it('leave it usable for the next request', async () => {
      site.answer = (exchange, path) => void stream(exchange, path, 5);
      for (const [index, path] of ['/a', '/b', '/c'].entries()) {
        site.client.write(ask(path));
        await expect.poll(() => getBodies(site.received)[index]).toBe(expected(path, 5));
      }
      expect(getBodies(site.received)).toHaveLength(3);
    });

    it('are sent one after the other, whole, if they were requested together', async () => {
      // The later streams finish long before their turn.
      site.answer = (exchange, path) => void stream(exchange, path, path === '/a' ? 40 : 4);
      site.client.write(ask('/a') + ask('/b') + ask('/c'));
      await expect.poll(() => getBodies(site.received).length).toBe(3);
      await expect
        .poll(() => getBodies(site.received))
        .toEqual([expected('/a', 40), expected('/b', 4), expected('/c', 4)]);
    });

    it('a stream that gets its turn in the middle continues with what was buffered', async () => {
      site.answer = (exchange, path) => void stream(exchange, path, path === '/a' ? 4 : 60);
      site.client.write(ask('/a') + ask('/b'));
      await expect.poll(() => getBodies(site.received)).toEqual([expected('/a', 4), expected('/b', 60)]);
    });

    it('close the connection if the caller requested it', async () => {
      site.answer = (exchange, path) => void stream(exchange, path, 3);
      site.client.write(ask('/a', 'connection: close\r\n'));
      await new Promise((resolve) => site.client.once('close', resolve));
      expect(getBodies(site.received)).toEqual([expected('/a', 3)]);
    });

    it('write nothing into the next response after they end', async () => {
      let first: SocketExchange | null = null;
      site.answer = (exchange, path) => {
        if (path === '/a') {
          first = exchange;
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
      site.client.write(ask('/a'));
      await expect.poll(() => getBodies(site.received)).toEqual([expected('/a', 3)]);
      site.client.write(ask('/b'));
      await expect.poll(() => getBodies(site.received)[1]).toBe('before between after.');
    });
  });

  describe('a caller that reads slowly', () => {
    it('is waited for with each piece that fills the connection, is reported once, and receives everything', async () => {
      const piece = 'x'.repeat(100_000);
      const pieces = 200;
      let drains = 0;
      let waits = 0;
      site.answer = (exchange) => {
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
          onDisconnect: () => undefined,
          onDrain: () => {
            drains += 1;
            // Nothing is left in this process's buffers.
            expect(site.socket.writableLength).toBe(0);
            send();
          },
        });
        exchange.start(200, 'text/event-stream');
        send();
      };
      site.client.pause();
      site.client.write(ask('/a'));
      await sleep(200);
      expect(waits).toBeGreaterThan(0);
      expect(drains).toBeLessThan(pieces);
      site.client.resume();
      await expect
        .poll(() => getBodies(site.received)[0]?.length, { timeout: 5_000 })
        .toBe(piece.length * pieces + 1);
      expect(drains).toBeLessThanOrEqual(waits);
      expect(drains).toBeGreaterThanOrEqual(waits - 1);
    });

    it('leaves no listener on a connection that stays open', async () => {
      const counts: number[] = [];
      site.answer = (exchange) => {
        counts.push(site.socket.listenerCount('drain'), site.socket.listenerCount('close'));
        exchange.start(200, 'text/event-stream');
        for (let count = 0; count < 50; count++) exchange.writeLatin1('x'.repeat(100_000));
        exchange.end();
      };
      for (let index = 0; index < 5; index++) {
        site.client.write(ask('/a'));
        await expect
          .poll(() => getBodies(site.received)[index]?.endsWith('.'), { timeout: 5_000 })
          .toBe(true);
      }
      expect(new Set(counts).size).toBeLessThanOrEqual(2);
      expect(counts.slice(-2)).toEqual(counts.slice(0, 2));
    });

    it('reports that it disconnected', async () => {
      const disconnected = Promise.withResolvers<void>();
      site.answer = (exchange) => {
        exchange.listen({ onDisconnect: () => disconnected.resolve(), onDrain: () => undefined });
        exchange.start(200, 'text/event-stream');
        exchange.writeLatin1('one');
        exchange.writeLatin1('two');
      };
      site.client.write(ask('/a'));
      await expect.poll(() => site.received).toContain('two');
      site.client.destroy();
      await disconnected.promise;
    });
  });
});
