import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { createUndiciTransport } from './undici/undici-transport.ts';
import { ask, startRawServer } from './http1/raw-server.fixture.ts';
import { createLazyTransport } from './lazy-transport.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const openServer = () => startRawServer(({ socket }) => socket.write(OK));

it('is loaded once, with its first call', async () => {
  let loads = 0;
  const transport = createLazyTransport(async () => {
    loads += 1;
    return createUndiciTransport();
  });
  await using server = await openServer();
  expect(loads).toBe(0);
  const outcomes = await Promise.all([ask(transport, server), ask(transport, server)]);
  expect(outcomes).toEqual([
    expect.objectContaining({ body: 'ok' }),
    expect.objectContaining({ body: 'ok' }),
  ]);
  expect(await ask(transport, server)).toMatchObject({ body: 'ok' });
  expect(loads).toBe(1);
  await transport.close();
  await expect.poll(() => server.sockets.size).toBe(0);
});

it('is loaded again after a failure, and can be closed', async () => {
  let failures = 2;
  const transport = createLazyTransport(async () => {
    failures -= 1;
    if (failures >= 0) throw new Error('too many open files');
    return createUndiciTransport();
  });
  await using server = await openServer();
  expect(await ask(transport, server)).toEqual({ failure: 'connect', detail: 'too many open files' });
  const closing = createLazyTransport(() => Promise.reject(new Error('too many open files')));
  const failed = ask(closing, server);
  await closing.close();
  expect(await failed).toMatchObject({ failure: 'connect' });
  expect(await ask(transport, server)).toMatchObject({ failure: 'connect' });
  expect(await ask(transport, server)).toMatchObject({ body: 'ok' });
  await transport.close();
});

it('sends nothing once it is closed, also if it was not loaded yet', async () => {
  let loads = 0;
  const loading = Promise.withResolvers<void>();
  const transport = createLazyTransport(async () => {
    loads += 1;
    await loading.promise;
    return createUndiciTransport();
  });
  await using server = await openServer();
  const waiting = ask(transport, server);
  const closed = transport.close();
  loading.resolve();
  await closed;
  const refused = { failure: 'connect', detail: 'the transport is closed' };
  expect(await waiting).toEqual(refused);
  expect(await ask(transport, server)).toEqual(refused);
  const unused = createLazyTransport(async () => {
    loads += 1;
    return createUndiciTransport();
  });
  await unused.close();
  expect(await ask(unused, server)).toEqual(refused);
  expect([loads, server.opened]).toEqual([1, 0]);
});

it('calls no listener within `send`', async () => {
  const transport = createLazyTransport(async () => createUndiciTransport());
  await transport.close();
  const events: string[] = [];
  const fail = () => expect.unreachable();
  const request = { origin: 'http://127.0.0.1:9', path: '/', headers: [], body: Buffer.from('') };
  const onError = () => void events.push('error');
  transport.send(request, { onStart: fail, onData: fail, onEnd: fail, onError });
  transport.send(request, { onStart: fail, onData: fail, onEnd: fail, onError: fail }).abort();
  events.push('sent');
  await expect.poll(() => events).toEqual(['sent', 'error']);
});
