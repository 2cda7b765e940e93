import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { DEFAULT_TIMEOUTS } from './transport.ts';
import { NODE_TRANSPORTS } from './transports.fixture.ts';
import { ask, startRawServer } from './http1/raw-server.fixture.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
describe.each(NODE_TRANSPORTS)('the %s transport', (name, create) => {
  const transport = create();
  afterAll(() => transport.close());

  describe('a connection', () => {
    it('is reused, the most recently used one first', async () => {
      await using server = await startRawServer(({ socket, head }) => {
        setTimeout(() => socket.write(OK), head.includes('/slow') ? 40 : 0);
      });
      await Promise.all([ask(transport, { ...server, path: '/slow' }), ask(transport, server)]);
      expect(server.opened).toBe(2);
      for (let count = 0; count < 5; count++) await ask(transport, server);
      expect(server.opened).toBe(2);
    });

    it.each([
      ['says that it closes', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok'],
      ['speaks HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok'],
      ['sends more than its answer', `${OK}HTTP/1.1 200 OK\r\n`],
      [
        'keeps it for a second only',
        'HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\ncontent-length: 2\r\n\r\nok',
      ],
    ])('is not reused if the server %s', async (_what, answer) => {
      await using server = await startRawServer(({ socket }) => socket.write(answer));
      expect(await ask(transport, server)).toMatchObject({ body: 'ok' });
      expect(await ask(transport, server)).toMatchObject({ body: 'ok' });
      expect(server.opened).toBe(2);
    });

    it('is closed before the server’s keep-alive ends', async () => {
      const answer = 'HTTP/1.1 200 OK\r\nkeep-alive: timeout=2, max=5\r\ncontent-length: 2\r\n\r\nok';
      await using server = await startRawServer(({ socket }) => socket.write(answer));
      await ask(transport, server);
      await sleep(500);
      expect(server.sockets.size).toBe(1);
      await expect.poll(() => server.sockets.size, { timeout: 1_500 }).toBe(0);
    });

    it('is not reused after the server closed it while idle', async () => {
      await using server = await startRawServer(({ socket }) => {
        socket.write(OK);
        setTimeout(() => socket.end(), 10);
      });
      await ask(transport, server);
      await sleep(50);
      expect(await ask(transport, server)).toMatchObject({ body: 'ok' });
    });

    it('is not reused after it received an unrequested response', async () => {
      await using server = await startRawServer(({ socket }) => {
        socket.write(OK);
        setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged'), 10);
      });
      await ask(transport, server);
      await sleep(50);
      expect(await ask(transport, server)).toMatchObject({ body: 'ok' });
      expect(server.opened).toBe(2);
    });

    it('moves its call to another connection if the server closes it before the request is written', async () => {
      const opened: Socket[] = [];
      await using server = await startRawServer(({ socket }) => socket.write(OK), {
        onConnection: (socket) => opened.push(socket),
      });
      await Promise.all([ask(transport, server), ask(transport, server)]);
      expect(server.opened).toBe(2);
      // Timers run before the sockets are read, and requests are written after that.
      await sleep(20);
      for (const socket of opened) socket.destroy();
      expect(await ask(transport, server)).toMatchObject({ body: 'ok' });
      expect(server.opened).toBe(3);
    });

    it('is not reused until bytes after the response would have been read', async () => {
      let serverSocket: Socket | null = null;
      await using server = await startRawServer(({ socket, head }) => {
        if (head.includes('/first')) serverSocket = socket;
        socket.write(OK);
      });
      const next = new Promise((resolve) => {
        transport.send(
          { ...server, path: '/first', headers: [], body: Buffer.from('{}') },
          {
            onStart: () => undefined,
            onData: () => undefined,
            onError: resolve,
            onEnd: () => {
              // These bytes reach the socket before the request.
              serverSocket?.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged');
              resolve(ask(transport, server));
            },
          },
        );
      });
      expect(await next).toMatchObject({ body: 'ok' });
      await expect.poll(() => server.sockets.size).toBe(1);
      expect(server.opened).toBe(2);
    });

    it.each(['end', 'resetAndDestroy'] as const)(
      'that ends (%s) before the first byte of a response is stale if reused, else cut',
      async (way) => {
        await using server = await startRawServer(({ socket, index, head }) => {
          if (index === 0 && !head.includes('/die')) socket.write(OK);
          else socket[way]();
        });
        await ask(transport, server);
        expect(await ask(transport, server)).toMatchObject({ failure: 'stale' });
        expect(await ask(transport, { ...server, path: '/die' })).toMatchObject({ failure: 'cut' });
      },
    );

    it('fails with cut if it ends within a response, whichever request it was', async () => {
      await using server = await startRawServer(({ socket, index }) => {
        if (index === 0) socket.write(OK);
        else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf');
      });
      await ask(transport, server);
      expect(await ask(transport, server)).toMatchObject({ failure: 'cut' });
    });

    it('ends immediately when its call is aborted, without further events', async () => {
      await using server = await startRawServer(({ socket }) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n');
      });
      const events: string[] = [];
      const call = transport.send(
        { ...server, path: '/', headers: [], body: Buffer.from('') },
        {
          onStart: () => void events.push('start'),
          onData: () => {
            events.push('data');
            call.abort();
            call.abort();
          },
          onEnd: () => void events.push('end'),
          onError: () => void events.push('error'),
        },
      );
      await expect.poll(() => events).toEqual(['start', 'data']);
      await expect.poll(() => server.sockets.size).toBe(0);
      expect(events).toEqual(['start', 'data']);
    });

    it('is dropped when its call is aborted before it is connected', async () => {
      await using server = await startRawServer(({ socket }) => socket.write(OK));
      const fail = () => expect.unreachable();
      const listener = { onStart: fail, onData: fail, onEnd: fail, onError: fail };
      transport.send({ ...server, path: '/', headers: [], body: Buffer.from('') }, listener).abort();
      await sleep(50);
      expect(server.sockets.size).toBe(0);
    });

    it('that was opened for an aborted call does not fail the next call', async () => {
      await using server = await startRawServer(({ socket, head }) => {
        if (!head.includes('/open')) socket.write(OK);
      });
      const fail = () => expect.unreachable();
      const listener = { onStart: fail, onData: fail, onEnd: fail, onError: fail };
      const send = (path: string) =>
        transport.send({ ...server, path, headers: [], body: Buffer.from('') }, listener);
      const open = send('/open');
      await expect.poll(() => server.sockets.size).toBe(1);
      const call = send('/');
      await setImmediate();
      call.abort();
      await sleep(100);
      const outcome = await ask(transport, server);
      open.abort();
      expect(outcome).toMatchObject({ body: 'ok' });
    });

    it.runIf(name === 'http1')('is reused if its reader pauses at the end of the response', async () => {
      await using server = await startRawServer(({ socket }) => socket.write(OK));
      expect(await ask(transport, server, (call) => call.pause())).toMatchObject({ body: 'ok' });
      expect(await ask(transport, server)).toMatchObject({ body: 'ok' });
      expect(server.opened).toBe(1);
    });

    it.runIf(name === 'http1')('reads nothing for a call that is paused before it is connected', async () => {
      await using server = await startRawServer(({ socket }) => socket.write(OK));
      const events: string[] = [];
      const call = transport.send(
        { ...server, path: '/', headers: [], body: Buffer.from('') },
        {
          onStart: () => void events.push('start'),
          onData: () => void events.push('data'),
          onEnd: () => void events.push('end'),
          onError: () => void events.push('error'),
        },
      );
      call.pause();
      await expect.poll(() => server.sockets.size).toBe(1);
      await sleep(50);
      expect(events).toEqual([]);
      call.resume();
      await expect.poll(() => events).toEqual(['start', 'data', 'end']);
    });

    it.runIf(name === 'http1')('is kept idle with at most 255 others', async () => {
      const waiting: (() => void)[] = [];
      await using server = await startRawServer(({ socket }) => waiting.push(() => socket.write(OK)));
      const calls = Array.from({ length: 300 }, () => ask(transport, server));
      await expect.poll(() => waiting.length).toBe(300);
      for (const release of waiting) release();
      await Promise.all(calls);
      await expect.poll(() => server.sockets.size).toBe(256);
    });

    it('does not extend the header timeout for a server that drips its headers', async () => {
      await using server = await startRawServer(({ socket }) => {
        socket.write('HTTP/1.1 200 OK\r\nx-a: ');
        const timer = setInterval(() => socket.write('a'), 10);
        socket.on('close', () => clearInterval(timer));
      });
      const timeouts = { ...DEFAULT_TIMEOUTS, firstByteMs: 100 };
      expect(await ask(transport, { ...server, timeouts })).toMatchObject({ failure: 'timeout' });
    });

    it('waits the whole idle timeout once its reader resumes', async () => {
      let serverSocket: Socket | null = null;
      await using server = await startRawServer(({ socket }) => {
        serverSocket = socket;
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\no');
      });
      const timeouts = { ...DEFAULT_TIMEOUTS, idleMs: 500 };
      let chunks = 0;
      const outcome = await ask(transport, { ...server, timeouts }, (call) => {
        chunks += 1;
        if (chunks > 1) return;
        call.pause();
        setTimeout(() => {
          call.resume();
          // The transports check the time every 100 ms.
          setTimeout(() => serverSocket?.write('k'), 250);
        }, 600);
      });
      expect(outcome).toMatchObject({ body: 'ok' });
    });

    it('does not time out as silent while its reader is paused', async () => {
      await using server = await startRawServer(({ socket }) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\no');
        setTimeout(() => socket.write('k'), 20);
      });
      const timeouts = { ...DEFAULT_TIMEOUTS, idleMs: 150 };
      let chunks = 0;
      const outcome = await ask(transport, { ...server, timeouts }, (call) => {
        chunks += 1;
        if (chunks > 1) return;
        call.pause();
        setTimeout(() => call.resume(), 500);
      });
      expect(outcome).toMatchObject({ body: 'ok' });
    });
  });
});
