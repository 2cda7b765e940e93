import { Buffer } from 'node:buffer';
import { createServer, type AddressInfo } from 'node:net';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { afterAll, describe, expect, it } from 'vitest';
import { DEFAULT_TIMEOUTS } from './transport.ts';
import { NODE_TRANSPORTS } from './transports.fixture.ts';
import { ask, startRawServer } from './http1/raw-server.fixture.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
describe.each(NODE_TRANSPORTS)('the %s transport', (name, create) => {
  const transport = create();
  afterAll(() => transport.close());

  describe('a request', () => {
    it.runIf(name === 'http1')('is sent unchanged with its host and length', async () => {
      let seen = '';
      await using server = await startRawServer(({ head, body, socket }) => {
        seen = head + body.toString();
        socket.write(OK);
      });
      const body = Buffer.from('{"text":"é"}');
      await ask(transport, { ...server, path: '/v1/x?beta=true', headers: ['x-key', 'a b'], body });
      const host = server.origin.slice('http://'.length);
      expect(seen).toBe(
        `POST /v1/x?beta=true HTTP/1.1\r\nhost: ${host}\r\nx-key: a b\r\ncontent-length: 13\r\n\r\n{"text":"é"}`,
      );
    });

    it('of 32 MiB arrives whole at a slow server', async () => {
      const body = Buffer.alloc(32 * 1024 * 1024);
      for (let at = 0; at < body.length; at += 4096) body.writeUInt32LE(at, at);
      let isSame = false;
      await using server = await startRawServer(
        ({ body: got, socket }) => {
          isSame = got.equals(body);
          socket.write(OK);
        },
        {
          onConnection: (socket) => {
            socket.pause();
            setTimeout(() => socket.resume(), 100);
          },
        },
      );
      expect(await ask(transport, { ...server, body })).toMatchObject({ status: 200, body: 'ok' });
      expect(isSame).toBe(true);
      expect(await ask(transport, server)).toMatchObject({ status: 200 });
      expect(server.opened).toBe(1);
    });

    it('refused before it is fully sent gets its response, and the connection is closed', async () => {
      await using server = await startRawServer(() => undefined, {
        onConnection: (socket) => {
          socket.pause();
          socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 3\r\n\r\nbig');
        },
      });
      const body = Buffer.alloc(32 * 1024 * 1024);
      expect(await ask(transport, { ...server, body })).toMatchObject({ status: 413, body: 'big' });
      await expect
        .poll(() => server.sockets.values().next().value?.resume() && server.sockets.size)
        .toBeFalsy();
    });

    it('stops being sent once the server has refused it', async () => {
      let read = 0;
      await using server = await startRawServer(() => undefined, {
        onConnection: (socket) => {
          socket.pause();
          socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 3\r\n\r\n');
          setTimeout(() => socket.resume(), 50);
          setTimeout(() => {
            read = socket.bytesRead;
            socket.write('big');
          }, 300);
        },
      });
      const body = Buffer.alloc(32 * 1024 * 1024);
      expect(await ask(transport, { ...server, body })).toMatchObject({ status: 413, body: 'big' });
      expect(read).toBeGreaterThan(0);
      expect(read).toBeLessThan(body.length);
    });

    it.each([
      ['a line end in a value', { headers: ['x-a', 'b\r\nx-c: d'] }],
      ['a line feed in a value', { headers: ['x-a', 'b\nx-c: d'] }],
      ['a null in a value', { headers: ['x-a', 'b\0'] }],
      ['a character that is no byte in a value', { headers: ['x-a', '\u010d\u010a'] }],
      ['a line end in a name', { headers: ['x-a: b\r\nx-c', 'd'] }],
      ['a blank in a name', { headers: ['x-a ', 'b'] }],
      ['a second framing', { headers: ['Transfer-Encoding', 'chunked'] }],
      ['another length', { headers: ['content-length', '3'] }],
      ['a line end in the path', { path: '/v1\r\nx-a: b' }],
      ['a blank in the path', { path: '/v1 HTTP/1.1' }],
      ['a character that is no byte in the path', { path: '/v1/\u010d\u010a' }],
    ])('with %s is never sent', async (_what, part) => {
      await using server = await startRawServer(({ socket }) => socket.write(OK));
      expect(await ask(transport, { ...server, ...part })).toMatchObject({ failure: 'protocol' });
      expect(server.opened).toBe(0);
    });
  });

  describe('a response', () => {
    it('pauses with its reader and resumes at the same byte', async () => {
      const body = Buffer.alloc(24 * 1024 * 1024, 'abcdefghijklmnopqrstuvwxyz');
      await using server = await startRawServer(({ socket }) => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`);
        socket.write(body);
      });
      let size = 0;
      let atPause = 0;
      const outcome = ask(transport, server, (call) => {
        size += 1;
        if (size !== 10) return;
        call.pause();
        setTimeout(() => {
          atPause = size;
          call.resume();
        }, 100);
      });
      expect(await outcome).toEqual(expect.objectContaining({ body: body.toString('latin1') }));
      expect(atPause).toBe(10);
    });

    it('is copied for its listener, so later reads do not change it', async () => {
      await using server = await startRawServer(({ socket, head }) => {
        const letter = /\/(\w)/.exec(head)?.[1] ?? '';
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n');
        for (let count = 0; count < 5; count++)
          setTimeout(() => socket.write(letter.repeat(1000)), count * 5);
      });
      const letters = Array.from('abcdefgh');
      const outcomes = await Promise.all(
        letters.map((letter) => ask(transport, { ...server, path: `/${letter}` })),
      );
      expect(outcomes).toEqual(
        letters.map((letter) => expect.objectContaining({ body: letter.repeat(5000) })),
      );
    });

    it.runIf(name === 'http1')('is delivered in one piece if several chunks arrive in one read', async () => {
      await using server = await startRawServer(({ socket }) => {
        socket.write(
          'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nx: y\r\n\r\n',
        );
      });
      let pieces = 0;
      expect(await ask(transport, server, () => (pieces += 1))).toMatchObject({ body: 'abcde' });
      expect(pieces).toBe(1);
      await ask(transport, server);
      expect(server.opened).toBe(1);
    });

    it('is read at once, however many blanks a header has', async () => {
      const blanks = ' '.repeat(60_000);
      await using server = await startRawServer(({ socket }) => {
        socket.write(
          `HTTP/1.1 200 OK\r\nx-a: b${blanks}c${blanks.slice(0, 3_000)}\r\ncontent-length: 2\r\n\r\nok`,
        );
      });
      const outcome = await ask(transport, server);
      const read = () => expect('header' in outcome && outcome.header('x-a')).toBe(`b${blanks}c`);
      expect(threadTimeMs(read)).toBeLessThan(500);
    });

    it('whose listener throws ends only that call', async () => {
      await using server = await startRawServer(({ socket }) => socket.write(OK));
      const failed = await ask(transport, server, () => {
        throw new Error('no room');
      });
      expect(failed).toEqual({ failure: 'cut', detail: expect.stringContaining('no room') as string });
      expect(await ask(transport, server)).toMatchObject({ body: 'ok' });
    });

    it('reuses the connection for a request sent from onEnd', async () => {
      await using server = await startRawServer(({ socket }) => socket.write(OK));
      const request = { origin: server.origin, path: '/', headers: [], body: Buffer.from('') };
      let left = 50;
      await new Promise<void>((resolve, reject) => {
        const next = (): void => {
          left -= 1;
          if (left === 0) resolve();
          else
            transport.send(request, {
              onStart: () => undefined,
              onData: () => undefined,
              onEnd: next,
              onError: ({ detail }) => reject(new Error(detail)),
            });
        };
        next();
      });
      expect(server.opened).toBeLessThanOrEqual(3);
    });
  });

  describe('an unreachable provider', () => {
    it('fails with dns if its name does not resolve', async () => {
      expect(await ask(transport, { origin: 'http://provider.invalid' })).toMatchObject({ failure: 'dns' });
    });

    it('fails with connect if its port is closed', async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      await new Promise((resolve) => server.close(resolve));
      const outcome = await ask(transport, { origin: `http://localhost:${port}` });
      expect(outcome).toEqual({
        failure: 'connect',
        detail: expect.stringContaining('ECONNREFUSED') as string,
      });
    });

    it('fails with tls if it does not speak TLS', async () => {
      await using server = await startRawServer(() => undefined, {
        onConnection: (socket) => socket.end('nonsense'),
      });
      expect(await ask(transport, { origin: server.origin.replace('http:', 'https:') })).toMatchObject({
        failure: 'tls',
      });
    });

    it('fails with connect if the TLS handshake never ends', async () => {
      await using server = await startRawServer(() => undefined);
      const timeouts = { ...DEFAULT_TIMEOUTS, connectMs: 50 };
      const outcome = await ask(transport, { origin: server.origin.replace('http:', 'https:'), timeouts });
      expect(outcome).toEqual({ failure: 'connect', detail: 'no connection within 50 ms' });
    });

    it.each(['', 'ftp://x', 'nonsense'])(
      'fails with protocol if its origin is invalid (%s)',
      async (origin) => {
        expect(await ask(transport, { origin })).toMatchObject({ failure: 'protocol' });
      },
    );

    it('gets no request after the transport is closed', async () => {
      const closed = create();
      await using server = await startRawServer(() => undefined);
      const running = ask(closed, server);
      await expect.poll(() => server.opened).toBe(1);
      await closed.close();
      expect(await running).toMatchObject({ failure: 'cut' });
      expect(await ask(closed, server)).toMatchObject({ failure: 'connect' });
    });
  });
});
