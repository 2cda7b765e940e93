/** Connections that are slow, cut anywhere, or used very often. */
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { echo, expectedEcho, getEchoes, post, readBody } from './echo-exchange.fixture.ts';
import { ask, connectTo, READERS, serveExchanges } from './exchange-server.fixture.ts';
import type { SocketExchange } from './socket-exchange.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

describe.each(READERS)('the times of a connection read by %s', (reader) => {
  const site = serveExchanges(reader, {
    headersTimeout: 60,
    requestTimeout: 120,
    keepAliveTimeout: 100,
    keepAliveTimeoutBuffer: 50,
    connectionsCheckingInterval: 20,
  });

  it('end one that sends nothing', async () => {
    await once(site.client, 'close');
    expect(site.received).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('end one that does not complete a head', async () => {
    site.client.write('POST /a HTTP/1.1\r\nhost: x\r\n');
    const drip = setInterval(() => site.client.write('x-a: 1\r\n'), 10);
    await once(site.client, 'close');
    clearInterval(drip);
    expect(site.received).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('end one that does not complete a body', async () => {
    site.answer = (exchange) => void readBody(exchange);
    site.client.write(post('/a', 'x'.repeat(1_000)).slice(0, -500));
    const drip = setInterval(() => site.client.write('x'), 10);
    await once(site.client, 'close');
    clearInterval(drip);
    expect(site.received).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('end an idle one, not one that waits for its response', async () => {
    site.answer = (exchange) => void sleep(300).then(() => exchange.send(200, 'text/plain', '<late>'));
    site.client.write(ask('/a'));
    await once(site.client, 'close');
    expect(getEchoes(site.received)).toEqual(['<late>']);
    expect(site.received).not.toContain('408');
  });
});

describe.each(READERS)('requests over a connection read by %s', (reader) => {
  const site = serveExchanges(reader);
  const answerEcho = () => (site.answer = (exchange, path) => void echo(exchange, path.replace(/\?.*/, '')));

  it('are read in the same way wherever their bytes are split', async () => {
    answerEcho();
    const all = Buffer.from(post('/a', 'one') + post('/other', 'two') + post('/b', 'three'));
    const expected = [expectedEcho('/a', 'one'), expectedEcho('/other', 'two'), expectedEcho('/b', 'three')];
    for (let at = 1; at < all.length; at++) {
      const client = connectTo(site);
      let received = '';
      client.setEncoding('latin1').on('data', (text) => (received += String(text)));
      client.write(all.subarray(0, at));
      // Until the server has read the first part.
      await expect.poll(() => site.socket.bytesRead, { interval: 1 }).toBe(at);
      client.write(all.subarray(at));
      await expect.poll(() => getEchoes(received).length, { interval: 1 }).toBe(3);
      expect(getEchoes(received)).toEqual(expected);
      client.destroy();
    }
  });

  it('leave nothing behind', async () => {
    const exchanges: WeakRef<SocketExchange>[] = [];
    site.answer = (exchange, path) => {
      exchanges.push(new WeakRef(exchange));
      void echo(exchange, path);
    };
    const request = Buffer.from(post('/a', 'x'.repeat(200)));
    let answered = 0;
    site.client.removeAllListeners('data').on('data', (text: string) => {
      for (const _ of text.matchAll(/<\/a/g)) {
        answered += 1;
        if (answered < 10_000) site.client.write(request);
      }
    });
    site.client.write(request);
    await expect.poll(() => answered, { timeout: 20_000 }).toBe(10_000);
    await sleep(10);
    collect();
    expect(exchanges.filter((exchange) => exchange.deref() !== undefined).length).toBeLessThan(3);
    const counts = ['data', 'end', 'drain', 'error', 'close'].map((event) =>
      site.socket.listenerCount(event),
    );
    expect(Math.max(...counts)).toBeLessThan(4);
  });
});

describe('a request that the gateway itself reads', () => {
  const site = serveExchanges('direct');

  it('waits until the caller has read the response before it', async () => {
    const asked: string[] = [];
    site.answer = (exchange, path) => {
      asked.push(path);
      exchange.send(200, 'text/plain', 'x'.repeat(path === '/a' ? 20_000_000 : 10));
    };
    site.client.pause();
    site.client.write(ask('/a'));
    await sleep(50);
    for (let count = 0; count < 50; count++) site.client.write(ask('/b'));
    await sleep(200);
    expect(asked).toEqual(['/a']);
    site.client.resume();
    await expect.poll(() => asked.length, { timeout: 5_000 }).toBe(51);
  });
});
