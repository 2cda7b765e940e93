import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Buffer } from 'node:buffer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFetchTransport } from './fetch-transport.ts';
import { DEFAULT_TIMEOUTS, type UpstreamTimeouts, type UpstreamTransport } from './transport.ts';
import { NODE_TRANSPORTS } from './transports.fixture.ts';

/** Responds by path: never, with one byte and then nothing, with a byte every 20 ms, or immediately. */
function createSlowServer(): Server {
  return createServer((request, response) => {
    request.resume();
    switch (request.url) {
      case '/silent':
        return;
      case '/stalls':
        response.write('a');
        return;
      case '/drips': {
        const timer = setInterval(() => response.write('a'), 20);
        response.on('close', () => clearInterval(timer));
        return;
      }
      default:
        response.end('whole');
    }
  });
}

describe.each([...NODE_TRANSPORTS, ['fetch', () => createFetchTransport()] as const])(
  'timeouts of the %s transport',
  (_name, create) => {
    let server: Server;
    let origin: string;
    let transport: UpstreamTransport;
    beforeAll(async () => {
      server = createSlowServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      transport = create();
    });
    afterAll(async () => {
      await transport.close();
      server.closeAllConnections();
      server.close();
    });

    /** The result of a call: its text, or the kind of its failure. */
    const outcome = (path: string, timeouts: Partial<UpstreamTimeouts> | null, pauses = false) =>
      new Promise<{ text: string } | { failure: string; detail: string }>((resolve) => {
        let text = '';
        const request = {
          origin,
          path,
          headers: [],
          body: Buffer.from('{}'),
          timeouts: timeouts === null ? null : { ...DEFAULT_TIMEOUTS, ...timeouts },
        };
        const call = transport.send(request, {
          onStart: () => undefined,
          onData: (chunk) => {
            text += chunk.toString();
            if (pauses) call.pause();
          },
          onEnd: () => resolve({ text }),
          onError: ({ kind, detail }) => resolve({ failure: kind, detail }),
        });
      });

    it('does not end a call that completes in time', async () => {
      expect(await outcome('/', null)).toEqual({ text: 'whole' });
      expect(await outcome('/', { totalMs: 5_000, connectMs: 1_000 })).toEqual({ text: 'whole' });
    });

    it('ends a call whose first byte is late', async () => {
      expect(await outcome('/silent', { firstByteMs: 100 })).toMatchObject({ failure: 'timeout' });
    });

    it('ends a call that falls silent within its response', async () => {
      expect(await outcome('/stalls', { idleMs: 100 })).toMatchObject({ failure: 'timeout' });
    });

    it('ends a call that exceeds the total timeout although it is never silent', async () => {
      const startedMs = performance.now();
      expect(await outcome('/drips', { idleMs: 1_000, totalMs: 200 })).toMatchObject({ failure: 'timeout' });
      expect(performance.now() - startedMs).toBeLessThan(5_000);
    });

    it('ends a call that exceeds the total timeout while its reader is paused', async () => {
      expect(await outcome('/drips', { totalMs: 200 }, true)).toMatchObject({ failure: 'timeout' });
    });

    it('does not apply the timeouts of one call to the next', async () => {
      const [late, whole] = await Promise.all([outcome('/silent', { firstByteMs: 100 }), outcome('/', null)]);
      expect([late, whole]).toEqual([expect.objectContaining({ failure: 'timeout' }), { text: 'whole' }]);
    });
  },
);
