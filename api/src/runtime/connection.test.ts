/** What happens to a connection does not depend on who reads its requests. */
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { echo, expectedEcho, getEchoes, MIB, post, readBody } from './echo-exchange.fixture.ts';
import { ask, connectTo, READERS, serveExchanges } from './exchange-server.fixture.ts';

describe.each(READERS)('requests over a connection read by %s', (reader) => {
  const site = serveExchanges(reader);
  const answerEcho = () => (site.answer = (exchange, path) => void echo(exchange, path.replace(/\?.*/, '')));

  it('are answered one after the other, by the gateway or by node:http', async () => {
    answerEcho();
    const requests = [
      [post('/a', 'first'), expectedEcho('/a', 'first')],
      [post('/b?beta=true', ''), '</b?beta=true of 0 0:>'],
      [post('/other', 'third'), expectedEcho('/other', 'third')],
      [post('/a', 'fourth'), expectedEcho('/a', 'fourth')],
    ] as const;
    for (const [index, [request]] of requests.entries()) {
      site.client.write(request);
      await expect.poll(() => getEchoes(site.received).length).toBe(index + 1);
    }
    expect(getEchoes(site.received)).toEqual(requests.map(([, expected]) => expected));
  });

  it('are answered in order if they arrive together', async () => {
    answerEcho();
    const bodies = ['first', '', post('/c', 'hidden'), 'x'.repeat(100_000), 'last'];
    site.client.write(bodies.map((body, index) => post(index % 2 === 0 ? '/a' : '/b', body)).join(''));
    await expect.poll(() => getEchoes(site.received).length).toBe(bodies.length);
    const expected = bodies.map((body, index) => expectedEcho(index % 2 === 0 ? '/a' : '/b', body));
    expect(getEchoes(site.received)).toEqual(expected);
  });

  it('keep the connection open and say how long, unless the caller or a shutdown ends it', async () => {
    answerEcho();
    site.client.write(post('/a', ''));
    await expect.poll(() => getEchoes(site.received).length).toBe(1);
    expect(site.received.toLowerCase()).toContain('connection: keep-alive\r\nkeep-alive: timeout=75\r\n\r\n');
    expect(site.received).toMatch(/\r\ndate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/i);
    site.isDraining = true;
    site.client.write(post('/a', ''));
    await once(site.client, 'close');
    expect(getEchoes(site.received)).toHaveLength(2);
    expect(site.received.toLowerCase()).toContain('connection: close\r\n\r\n');
  });

  it('do not wait for the rest of a small body that was not read', async () => {
    site.answer = (exchange) => exchange.send(200, 'text/plain', '<refused>');
    site.client.write(post('/a', 'x'.repeat(60_000)).slice(0, 1_000));
    await expect.poll(() => getEchoes(site.received)).toEqual(['<refused>']);
    answerEcho();
    site.client.write(post('/a', 'x'.repeat(60_000)).slice(1_000) + post('/b', 'next'));
    await expect.poll(() => getEchoes(site.received)).toEqual(['<refused>', expectedEcho('/b', 'next')]);
  });

  it('close the connection instead of receiving a large body that was not read', async () => {
    site.answer = (exchange) => exchange.send(413, 'text/plain', '<refused>');
    site.client.write(post('/a', 'x'.repeat(MIB)).slice(0, 1_000));
    await once(site.client, 'end');
    expect(getEchoes(site.received)).toEqual(['<refused>']);
    expect(site.received.toLowerCase()).toContain('connection: close');
    site.client.write('x'.repeat(10_000));
    await expect.poll(() => site.socket.destroyed, { timeout: 3_000 }).toBe(true);
    expect(site.socket.bytesRead).toBeLessThan(200_000);
  });

  it('are interrupted if the caller leaves before the end of the body', async () => {
    const read = Promise.withResolvers<unknown>();
    site.answer = (exchange) => {
      void Promise.resolve(readBody(exchange)).then((body) => read.resolve([body, exchange.isDisconnected]));
    };
    site.client.write(post('/a', 'x'.repeat(200_000)).slice(0, 100_000));
    await expect.poll(() => site.socket.bytesRead).toBe(100_000);
    site.client.resetAndDestroy();
    expect(await read.promise).toMatchObject([{ ok: false, error: { code: 'invalid_request' } }, true]);
  });

  it('are refused if the caller sends nothing more before the end of the body', async () => {
    const read = Promise.withResolvers<unknown>();
    site.answer = (exchange) => void Promise.resolve(readBody(exchange)).then(read.resolve);
    site.client.end(post('/a', 'body').slice(0, -1));
    expect(await read.promise).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
    await expect.poll(() => site.received).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('are treated as given up if the caller closes its side', async () => {
    const gone = Promise.withResolvers<void>();
    site.answer = (exchange) =>
      exchange.listen({ onDisconnect: () => gone.resolve(), onDrain: () => undefined });
    site.client.end(post('/a', 'body'));
    await gone.promise;
    expect(site.received).toBe('');
  });

  it('are aborted by both sides in the middle of a response', async () => {
    for (const isCaller of [true, false]) {
      const gone = Promise.withResolvers<void>();
      site.answer = (exchange) => {
        exchange.listen({ onDisconnect: () => gone.resolve(), onDrain: () => undefined });
        exchange.start(200, 'text/event-stream');
        exchange.writeLatin1('<begun>');
        if (!isCaller) exchange.destroy();
      };
      if (!isCaller) site.client = connectTo(site);
      site.client.write(ask('/a'));
      if (isCaller) {
        await expect.poll(() => getEchoes(site.received)).toEqual(['<begun>']);
        site.client.resetAndDestroy();
      }
      await gone.promise;
    }
  });

  it.each(['a response', 'a stream'])('end with %s before what is no HTTP is refused', async (kind) => {
    const sent = Promise.withResolvers<() => void>();
    site.answer = (exchange) => {
      if (kind === 'a response') sent.resolve(() => exchange.send(200, 'text/plain', '<whole>'));
      else {
        exchange.start(200, 'text/event-stream');
        exchange.writeLatin1('<begun>');
        sent.resolve(() => {
          exchange.writeLatin1('<ended>');
          exchange.end();
        });
      }
    };
    site.client.write(ask('/a'));
    const end = await sent.promise;
    site.client.write('GARBAGE\r\n\r\n');
    await expect.poll(() => site.socket.bytesRead).toBe(ask('/a').length + 11);
    end();
    await expect.poll(() => site.received).toMatch(/HTTP\/1\.1 400 /);
    const [before = ''] = site.received.split('HTTP/1.1 400 ');
    expect(getEchoes(before)).toEqual(kind === 'a response' ? ['<whole>'] : ['<begun>', '<ended>']);
    if (kind === 'a stream') expect(before.endsWith('0\r\n\r\n')).toBe(true);
  });

  it('get each header once, and a response without a header that could not be sent', async () => {
    site.answer = (exchange) => {
      exchange.setHeader('x-name', 'first');
      exchange.setHeader('x-split', 'a\r\nx-injected: 1');
      exchange.setHeader('x-other', '\u{4e2d}');
      exchange.setHeader('x-name', 'second');
      exchange.send(200, 'text/plain', '<answered>');
    };
    site.client.write(ask('/a'));
    await expect.poll(() => getEchoes(site.received)).toEqual(['<answered>']);
    expect(site.received.match(/^x-(?!request-id).*$/gm)).toEqual(['x-name: second']);
  });

  it('get no response whose content type could split it', () => {
    const failed = Promise.withResolvers<void>();
    site.answer = (exchange) => {
      expect(() => exchange.send(200, 'a\r\nx-injected: 1', '')).toThrow(/character/);
      failed.resolve();
      exchange.destroy();
    };
    site.client.write(ask('/a'));
    return failed.promise;
  });
});

describe.each(READERS)('closing a server whose connections are read by %s', (reader) => {
  const site = serveExchanges(reader);
  const close = () => new Promise<void>((resolve) => void site.server.close(() => resolve()));

  it('closes idle connections, and waits for the others', async () => {
    site.answer = (exchange) => exchange.send(200, 'text/plain', '<idle>');
    site.client.write(ask('/a'));
    await expect.poll(() => getEchoes(site.received)).toEqual(['<idle>']);
    let answer: (() => void) | undefined;
    site.answer = (exchange) => (answer = () => exchange.send(200, 'text/plain', '<busy>'));
    const busy = connectTo(site);
    let received = '';
    busy.setEncoding('latin1').on('data', (text) => (received += String(text)));
    busy.write(ask('/a', 'connection: close\r\n'));
    await expect.poll(() => answer).toBeDefined();
    let isClosed = false;
    const closed = close().then(() => (isClosed = true));
    await once(site.client, 'close');
    await sleep(50);
    expect(isClosed).toBe(false);
    answer?.();
    await closed;
    await expect.poll(() => getEchoes(received)).toEqual(['<busy>']);
  });

  it('aborts all of them if it must not wait', async () => {
    site.answer = () => undefined;
    site.client.write(ask('/a'));
    await expect.poll(() => site.socket.bytesRead).toBeGreaterThan(0);
    const closed = close();
    site.server.closeAllConnections();
    await closed;
  });
});

describe('a connection whose requests the gateway itself reads', () => {
  const site = serveExchanges('direct');

  it.each([
    ['of the next request', ask('/a')],
    ['of the body', post('/a', 'x'.repeat(90_000)).slice(0, -90_000)],
  ])('keeps few tiny pieces %s', async (_, start) => {
    const asked: string[] = [];
    site.answer = (_exchange, path) => void asked.push(path);
    site.client.write(start);
    await expect.poll(() => asked.length, { interval: 1 }).toBe(1);
    let pieces = 0;
    for (; pieces < 60_000 && !site.socket.isPaused(); pieces++) site.socket.emit('data', Buffer.from('P'));
    // Each takes about 200 bytes in addition.
    expect(pieces).toBeLessThan(1_000);
  });
});
