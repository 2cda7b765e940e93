import { Buffer } from 'node:buffer';
import { constants } from 'node:crypto';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, startRawServer } from '../http1/raw-server.fixture.ts';
import { createSelfSigned } from '../http1/self-signed.fixture.ts';
import { DEFAULT_TIMEOUTS } from '../transport.ts';
import { startForwardProxy } from './forward-proxy.fixture.ts';
import { createUndiciTransport } from './undici-transport.ts';

const tls = createSelfSigned('localhost');
const LARGE = Buffer.alloc(8 * 1024 * 1024, 'abcdefghijklmnopqrstuvwxyz');

describe('HTTP/2', () => {
  let sessions = 0;
  let closed = 0;
  let written = 0;
  let seen: { version: string; authority: unknown; body: Buffer }[] = [];
  const server = createSecureServer(
    { ...tls, allowHTTP1: true },
    (request, response) => void answer(request, response),
  );
  server.on('session', (session) => {
    sessions += 1;
    session.on('error', () => undefined);
  });
  const transport = createUndiciTransport({ ca: tls.cert, http2: true });
  let origin = '';

  async function answer(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('close', () => (closed += 1));
    const body = await buffer(request).catch(() => Buffer.alloc(0));
    seen.push({ version: request.httpVersion, authority: request.headers[':authority'], body });
    switch (request.url) {
      case '/silent':
        return;
      case '/stalls':
        response.write('a');
        return;
      case '/reset':
        response.write('half');
        setTimeout(() => response.stream.close(2), 20);
        return;
      case '/dies':
        response.stream.session?.destroy();
        return;
      case '/headers':
        for (let index = 0; index < 300; index++) response.setHeader(`x-${index}`, 'a');
        response.end('ok');
        return;
      case '/large': {
        for (let at = 0; at < LARGE.length && !response.destroyed; at += 65_536) {
          written += 65_536;
          if (!response.write(LARGE.subarray(at, at + 65_536)))
            await new Promise((resolve) => response.once('drain', resolve));
        }
        response.end();
        return;
      }
      default:
        response.setHeader('x-a', 'b');
        response.end('ok');
    }
  }

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    seen = [];
    closed = 0;
    written = 0;
  });
  afterAll(async () => {
    await transport.close();
    server.close();
  });

  it('sends requests as streams of one connection', async () => {
    const before = sessions;
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => ask(transport, { origin, headers: ['x-key', 'k'] })),
    );
    expect(outcomes).toEqual(
      Array.from({ length: 20 }, () => expect.objectContaining({ status: 200, body: 'ok' })),
    );
    expect(sessions - before).toBe(1);
    expect(seen[0]).toEqual({
      version: '2.0',
      authority: origin.slice('https://'.length),
      body: Buffer.from('{}'),
    });
    const [outcome] = outcomes;
    expect(outcome !== undefined && 'header' in outcome && outcome.header('x-a')).toBe('b');
  });

  it('reads settings that arrive with the end of the handshake', async () => {
    const early = createSecureServer(
      { ...tls, maxVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_TICKET },
      (request, response) => void answer(request, response),
    );
    await new Promise<void>((resolve) => early.listen(0, '127.0.0.1', resolve));
    const { port } = early.address() as AddressInfo;
    const fresh = createUndiciTransport({ ca: tls.cert, http2: true });
    expect(await ask(fresh, { origin: `https://localhost:${port}` })).toMatchObject({ body: 'ok' });
    await fresh.close();
    early.close();
  });

  it('is not offered unless it is on', async () => {
    const plain = createUndiciTransport({ ca: tls.cert });
    await ask(plain, { origin });
    expect(seen[0]?.version).toBe('1.1');
    await plain.close();
  });

  it('falls back to HTTP/1.1 if the server does not speak it', async () => {
    await using other = await startRawServer(
      ({ socket }) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
      { tls },
    );
    expect(await ask(transport, other)).toMatchObject({ status: 200, body: 'ok' });
  });

  it('works through a tunnel of a proxy', async () => {
    await using proxy = await startForwardProxy();
    const tunnelled = createUndiciTransport({ ca: tls.cert, http2: true, proxy: proxy.url });
    expect(await ask(tunnelled, { origin })).toMatchObject({ body: 'ok' });
    expect(seen[0]?.version).toBe('2.0');
    expect(proxy.requests).toHaveLength(1);
    await tunnelled.close();
  });

  it('sends large bodies, whole', async () => {
    expect(await ask(transport, { origin, body: LARGE })).toMatchObject({ body: 'ok' });
    const pieces = [LARGE.subarray(0, 100), LARGE.subarray(100)];
    expect(await ask(transport, { origin, body: { pieces } })).toMatchObject({ body: 'ok' });
    expect(seen.map(({ body }) => body.equals(LARGE))).toEqual([true, true]);
  });

  it('slows the server while the reader pauses', async () => {
    let chunks = 0;
    let whilePaused = 0;
    const outcome = await ask(transport, { origin, path: '/large' }, (call) => {
      chunks += 1;
      if (chunks !== 3) return;
      call.pause();
      setTimeout(() => {
        whilePaused = written;
        call.resume();
      }, 200);
    });
    expect(outcome).toMatchObject({ body: LARGE.toString('latin1') });
    expect(whilePaused).toBeLessThan(LARGE.length / 2);
  });

  it.each([
    ['/silent', { firstByteMs: 100 }, 'timeout'],
    ['/stalls', { idleMs: 100 }, 'timeout'],
    ['/stalls', { totalMs: 150 }, 'timeout'],
    ['/reset', {}, 'cut'],
    ['/dies', {}, 'cut'],
    ['/headers', {}, 'cut'],
  ])('fails a call to %s with %o as %s', async (path, timeouts, failure) => {
    const fresh = createUndiciTransport({ ca: tls.cert, http2: true });
    const outcome = await ask(fresh, { origin, path, timeouts: { ...DEFAULT_TIMEOUTS, ...timeouts } });
    expect(outcome).toMatchObject({ failure });
    await fresh.close();
  });

  it('ends only the stream of an aborted call', async () => {
    const before = sessions;
    await ask(transport, { origin });
    closed = 0;
    const call = transport.send(
      { origin, path: '/stalls', headers: [], body: Buffer.from('{}') },
      {
        onStart: () => undefined,
        onData: () => call.abort(),
        onEnd: () => expect.unreachable(),
        onError: () => expect.unreachable(),
      },
    );
    await expect.poll(() => closed).toBe(1);
    expect(await ask(transport, { origin })).toMatchObject({ body: 'ok' });
    expect(sessions - before).toBeLessThanOrEqual(1);
    await sleep(20);
  });
});
