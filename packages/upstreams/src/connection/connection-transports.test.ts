import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ask, startRawServer } from '../transport/http1/raw-server.fixture.ts';
import { DEFAULT_TIMEOUTS } from '../transport/transport.ts';
import { createUndiciTransport } from '../transport/undici/undici-transport.ts';
import { ConnectionTransports } from './connection-transports.ts';
import type { ProviderConnection } from './provider-connection.ts';

/** The first call loads undici. */
const LOADED = { timeout: 10_000 };
/** Before idle connections are closed anyway. */
const SOON = { timeout: 2_000 };
const DIRECT: ProviderConnection = { proxy: null, ca: null, http2: false, connectMs: 1_000 };
const CHANGED: ProviderConnection = { ...DIRECT, connectMs: 2_000 };

it('shares one transport among providers with the same connection', async () => {
  const transports = new ConnectionTransports();
  expect(transports.of({ ...DIRECT })).toBe(transports.of(DIRECT));
  expect(transports.of(CHANGED)).not.toBe(transports.of(DIRECT));
  transports.keepOnly([{ ...DIRECT }]);
  await transports.close();
});

it('closes the transport of a changed connection once its calls have ended', async () => {
  const open: Socket[] = [];
  await using server = await startRawServer(({ socket, head }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\no');
    if (head.includes('/open')) open.push(socket);
    else socket.write('k');
  });
  const transports = new ConnectionTransports();
  const transport = transports.of(DIRECT);
  const call = ask(transport, { ...server, path: '/open' });
  await expect.poll(() => open.length, LOADED).toBe(1);
  expect(await ask(transport, server)).toMatchObject({ body: 'ok' });
  transports.keepOnly([CHANGED]);
  await sleep(50);
  expect(server.sockets.size).toBe(2);
  open[0]?.write('k');
  expect(await call).toMatchObject({ body: 'ok' });
  await expect.poll(() => server.sockets.size, SOON).toBe(0);
  // A request that was being signed meanwhile.
  expect(await Promise.all([ask(transport, server), ask(transport, server)])).toMatchObject([
    { body: 'ok' },
    { body: 'ok' },
  ]);
  await expect.poll(() => server.sockets.size, SOON).toBe(0);
  expect(await ask(transports.of(DIRECT), server)).toMatchObject({ body: 'ok' });
  await sleep(50);
  expect(server.sockets.size).toBe(1);
  await transports.close();
});

it('closes the transport of a changed connection after the last call was aborted or failed', async () => {
  await using server = await startRawServer(() => undefined);
  const transports = new ConnectionTransports();
  const transport = transports.of(DIRECT);
  const fail = () => expect.unreachable();
  const listener = { onStart: fail, onData: fail, onEnd: fail, onError: fail };
  const request = { ...server, path: '/', headers: [], body: Buffer.from('{}') };
  const call = transport.send(request, listener);
  const late = ask(transport, { ...server, timeouts: { ...DEFAULT_TIMEOUTS, firstByteMs: 500 } });
  transports.keepOnly([]);
  await expect.poll(() => server.sockets.size, LOADED).toBe(2);
  call.abort();
  expect(await late).toMatchObject({ failure: 'timeout' });
  await expect.poll(() => server.sockets.size, SOON).toBe(0);
  await transports.close();
});

it('ends the calls of changed connections when it is closed', async () => {
  await using server = await startRawServer(() => undefined);
  const transports = new ConnectionTransports();
  const transport = transports.of(DIRECT);
  const first = ask(transport, server);
  await expect.poll(() => server.sockets.size, LOADED).toBe(1);
  transports.keepOnly([CHANGED]);
  // A request that was being signed meanwhile.
  const late = ask(transport, server);
  await expect.poll(() => server.sockets.size, SOON).toBe(2);
  transports.keepOnly([CHANGED]);
  await transports.close();
  const closed = { failure: 'cut', detail: 'the transport was closed' };
  expect(await Promise.all([first, late])).toEqual([closed, closed]);
  await expect.poll(() => server.sockets.size, SOON).toBe(0);
  expect(await ask(transport, server)).toMatchObject({ detail: 'the transport is closed' });
});

it('forgets a changed connection once its calls have ended', async () => {
  await using server = await startRawServer(({ socket }) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
  );
  const closed: number[] = [];
  const transports = new ConnectionTransports((connection) => {
    const transport = createUndiciTransport();
    const close = async () => void closed.push(connection.connectMs);
    return {
      send: (...args) => transport.send(...args),
      retire: () => transport.retire(),
      isIdle: () => transport.isIdle(),
      close,
    };
  });
  expect(await ask(transports.of(DIRECT), server)).toMatchObject({ body: 'ok' });
  transports.keepOnly([CHANGED]);
  transports.keepOnly([CHANGED]);
  await transports.close();
  expect(closed).toEqual([]);
});

it('waits only for a limited time until its transports are closed', async () => {
  const transport = {
    send: () => expect.unreachable(),
    retire: () => undefined,
    isIdle: () => false,
    close: () => new Promise<void>(() => undefined),
  };
  const transports = new ConnectionTransports(() => transport, { closeMs: 50 });
  transports.of(DIRECT);
  transports.keepOnly([CHANGED]);
  transports.of(CHANGED);
  await transports.close();
});
