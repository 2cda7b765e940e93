import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ask, startRawServer, type RawRequest } from '../http1/raw-server.fixture.ts';
import { createSelfSigned } from '../http1/self-signed.fixture.ts';
import { DEFAULT_TIMEOUTS } from '../transport.ts';
import { startForwardProxy } from './forward-proxy.fixture.ts';
import { startSilentServer } from './silent-server.fixture.ts';
import { createUndiciTransport, type UndiciTransportOptions } from './undici-transport.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const tls = createSelfSigned('localhost');
const answer = ({ socket }: RawRequest) => void socket.write(OK);

/** Closes the transport at the end of a block. */
function open(options: UndiciTransportOptions) {
  const transport = createUndiciTransport(options);
  return { transport, [Symbol.asyncDispose]: () => transport.close() };
}

async function findClosedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('a forward proxy', () => {
  it('tunnels to a provider over TLS, once per connection', async () => {
    await using server = await startRawServer(answer, { tls });
    await using proxy = await startForwardProxy();
    await using opened = open({ proxy: proxy.url, ca: tls.cert });
    expect(await ask(opened.transport, server)).toMatchObject({ status: 200, body: 'ok' });
    expect(await ask(opened.transport, server)).toMatchObject({ status: 200, body: 'ok' });
    expect(proxy.requests).toEqual([`CONNECT ${server.origin.slice('https://'.length)}`]);
  });

  it('forwards requests to a provider without TLS', async () => {
    const hosts: unknown[] = [];
    await using server = await startRawServer(({ head, socket }) => {
      hosts.push(/\r\nhost: (\S+)/i.exec(head)?.[1]);
      socket.write(OK);
    });
    await using proxy = await startForwardProxy();
    await using opened = open({ proxy: proxy.url });
    expect(await ask(opened.transport, { ...server, path: '/v1/x?a=b' })).toMatchObject({ body: 'ok' });
    expect(proxy.requests).toEqual([`POST ${server.origin}/v1/x?a=b`]);
    expect(hosts).toEqual([server.origin.slice('http://'.length)]);
  });

  it('is reached over TLS', async () => {
    await using server = await startRawServer(answer, { tls });
    await using plain = await startRawServer(answer);
    await using proxy = await startForwardProxy({ tls });
    await using opened = open({ proxy: proxy.url, ca: tls.cert });
    expect(await ask(opened.transport, server)).toMatchObject({ body: 'ok' });
    expect(await ask(opened.transport, plain)).toMatchObject({ body: 'ok' });
    expect(proxy.requests).toHaveLength(2);
  });

  it('gets its credential, which the provider never gets', async () => {
    const heads: string[] = [];
    const note = ({ head, socket }: RawRequest) => {
      heads.push(head);
      socket.write(OK);
    };
    await using server = await startRawServer(note, { tls });
    await using plain = await startRawServer(note);
    const authorization = `Basic ${Buffer.from('me:p@ss word').toString('base64')}`;
    await using proxy = await startForwardProxy({ authorization });
    const url = proxy.url.replace('http://', 'http://me:p%40ss%20word@');
    await using opened = open({ proxy: url, ca: tls.cert });
    expect(await ask(opened.transport, server)).toMatchObject({ body: 'ok' });
    expect(await ask(opened.transport, plain)).toMatchObject({ body: 'ok' });
    expect(heads).toHaveLength(2);
    for (const head of heads) expect(head.toLowerCase()).not.toContain('proxy-authorization');
  });

  it('that refuses the credential is an unreachable provider, for both kinds of requests', async () => {
    await using server = await startRawServer(answer, { tls });
    await using plain = await startRawServer(answer);
    await using proxy = await startForwardProxy({ authorization: 'Basic other' });
    const url = proxy.url.replace('http://', 'http://me:secret@');
    await using opened = open({ proxy: url, ca: tls.cert });
    const refused = { failure: 'connect', detail: 'the proxy answered 407' };
    expect(await ask(opened.transport, server)).toEqual(refused);
    expect(await ask(opened.transport, plain)).toEqual(refused);
    expect([server.opened, plain.opened]).toEqual([0, 0]);
  });

  it('that cannot reach the provider reports its answer', async () => {
    await using proxy = await startForwardProxy();
    await using opened = open({ proxy: proxy.url });
    const origin = `https://127.0.0.1:${await findClosedPort()}`;
    expect(await ask(opened.transport, { origin })).toEqual({
      failure: 'connect',
      detail: 'the proxy answered 502',
    });
  });

  it('that is down is an unreachable provider, and its credential is not in the failure', async () => {
    await using opened = open({ proxy: `http://me:secret@127.0.0.1:${await findClosedPort()}` });
    for (const origin of ['https://provider.invalid', 'http://provider.invalid']) {
      const outcome = await ask(opened.transport, { origin });
      expect(outcome).toMatchObject({ failure: 'connect' });
      expect(JSON.stringify(outcome)).not.toMatch(/secret|bWU6c2VjcmV0/);
    }
  });

  it('that never opens the tunnel exceeds the connect timeout', async () => {
    await using proxy = await startForwardProxy({ isSilent: true });
    await using opened = open({ proxy: proxy.url, timeouts: { ...DEFAULT_TIMEOUTS, connectMs: 100 } });
    expect(await ask(opened.transport, { origin: 'https://provider.invalid' })).toEqual({
      failure: 'connect',
      detail: 'the proxy did not answer: no connection within 100 ms',
    });
  });

  it.each(['http', 'https'])(
    'that drops all packets is named in the failure of an %s provider',
    async (scheme) => {
      await using silent = await startSilentServer();
      const proxy = `http://me:secret@${silent.authority}`;
      for (const [connectMs, detail] of [
        [100, 'no connection within 100 ms'],
        [10_000, 'no whole answer within 300 ms'],
      ] as const) {
        await using opened = open({ proxy, timeouts: { ...DEFAULT_TIMEOUTS, connectMs, totalMs: 300 } });
        const failure = await new Promise((resolve) => {
          const ignore = () => undefined;
          const listener = { onStart: ignore, onData: ignore, onEnd: ignore, onError: resolve };
          const origin = `${scheme}://provider.invalid`;
          opened.transport.send({ origin, path: '/', headers: [], body: Buffer.from('{}') }, listener);
        });
        expect(failure).toEqual({
          kind: connectMs === 100 ? 'connect' : 'timeout',
          detail: `the proxy did not answer: ${detail}`,
          proxy: `http://***@${silent.authority}`,
        });
      }
    },
  );

  it('is not named if it opened the tunnel and the provider is silent', async () => {
    await using server = await startRawServer(() => undefined);
    await using proxy = await startForwardProxy();
    await using opened = open({ proxy: proxy.url, timeouts: { ...DEFAULT_TIMEOUTS, connectMs: 300 } });
    // It never speaks TLS.
    const origin = server.origin.replace('http:', 'https:');
    expect(await ask(opened.transport, { origin })).toEqual({
      failure: 'connect',
      detail: 'no connection within 300 ms',
    });
  });

  it('does not hide an untrusted certificate', async () => {
    let requests = 0;
    await using server = await startRawServer(() => (requests += 1), { tls });
    await using proxy = await startForwardProxy();
    await using opened = open({ proxy: proxy.url });
    const headers = ['authorization', 'Bearer secret'];
    expect(await ask(opened.transport, { ...server, headers })).toMatchObject({ failure: 'tls' });
    expect(requests).toBe(0);
  });

  it('passes the end of a provider on', async () => {
    await using server = await startRawServer(
      ({ socket }) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
      { tls },
    );
    await using proxy = await startForwardProxy();
    await using opened = open({ proxy: proxy.url, ca: tls.cert });
    expect(await ask(opened.transport, server)).toMatchObject({ failure: 'cut' });
  });
});

it('trusts an additional certificate next to those of Node', async () => {
  const other = createSelfSigned('other.example');
  await using server = await startRawServer(answer, { tls });
  await using both = open({ ca: `${other.cert}${tls.cert}` });
  await using wrong = open({ ca: other.cert });
  expect(await ask(both.transport, server)).toMatchObject({ body: 'ok' });
  expect(await ask(wrong.transport, server)).toMatchObject({ failure: 'tls' });
});
