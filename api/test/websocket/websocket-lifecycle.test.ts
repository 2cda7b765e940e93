import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { revokeKey } from '@tollgate/db/queries/keys/keys';
import { changeLast } from '@tollgate/testing/change-last';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { drain } from '../../src/drain.ts';
import { listen } from '../../src/runtime/listen.ts';
import { createNodeServer } from '../../src/runtime/node.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { openSocket } from './socket-client.ts';
import { NATIVE } from '../native-provider.ts';
import { startSocketHarness, TRANSLATED } from './socket-harness.ts';

const harness = await startSocketHarness({ drainAfterDisconnectMs: 2_000 });
const { provider, database } = harness;
const { db } = database;
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => provider.reset());

/** The status of a handshake that is refused. */
async function readRefusal(api: TestApi, secret: string, headers: Record<string, string> = {}) {
  const { promise, resolve } = Promise.withResolvers<{ status: number; body: string; upgrade: unknown }>();
  const handshake = request(`${api.baseUrl}/responses`, {
    headers: {
      authorization: `Bearer ${secret}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    },
  });
  handshake.on('response', (response) => {
    let body = '';
    response.setEncoding('utf8').on('data', (text) => (body += String(text)));
    const { upgrade } = response.headers;
    response.on('end', () => resolve({ status: response.statusCode ?? 0, body, upgrade }));
  });
  handshake.on('upgrade', (_, socket) => {
    socket.destroy();
    resolve({ status: 101, body: '', upgrade: '' });
  });
  handshake.end();
  return promise;
}

describe('a key that is revoked', () => {
  it('ends the response in progress with its error, and then the connection', async () => {
    const { accountId, keyId, secret } = await harness.openAccount();
    await using socket = await harness.open(secret);
    provider.next({ answer: { words: 60 }, intervalMs: 20 });
    socket.create({ model: TRANSLATED, input: 'Write.', stream_id: 'a' });
    // It waits, and is dropped.
    socket.create({ model: TRANSLATED, input: 'Write.', stream_id: 'a' });
    await socket.next(({ type }) => type === 'response.output_text.delta');
    const startMs = performance.now();
    await revokeKey(db, { keyId, accountId: null, actorUserId: null });
    const error = await socket.next(({ type }) => type === 'error');
    expect(performance.now() - startMs).toBeLessThan(2_000);
    expect(error).toMatchObject({ status: 401, stream_id: 'a', error: { code: 'revoked_api_key' } });
    expect(await socket.closed).toEqual({ code: 1008, reason: 'The API key is not active.' });
    expect(socket.events.at(-1)).toBe(error);
    await provider.requests[0]?.finished;
    expect(provider.requests).toHaveLength(1);
    await expect.poll(async () => (await harness.readBills(accountId)).length).toBe(1);
    expect(await harness.readBills(accountId)).toMatchObject([{ status: 200, error: 'revoked_api_key' }]);
  });

  it('ends a connection without a response', async () => {
    const { keyId, secret } = await harness.openAccount();
    await using socket = await harness.open(secret);
    await revokeKey(db, { keyId, accountId: null, actorUserId: null });
    expect(await socket.next(() => true)).toMatchObject({ status: 401, error: { code: 'revoked_api_key' } });
    expect(await socket.closed).toMatchObject({ code: 1008 });
    expect(await readRefusal(harness.api, secret)).toMatchObject({ status: 401 });
  });
});

it('refuses a wrong key, another protocol and a plain GET over HTTP', async () => {
  const { api, secret } = harness;
  expect(await readRefusal(api, changeLast(secret))).toMatchObject({ status: 401 });
  const headers = { authorization: `Bearer ${secret}` };
  const plain = await fetch(`${api.baseUrl}/responses`, { headers });
  expect(plain.status).toBe(404);
  // Java's client asks for HTTP/2 with each request.
  const { promise, resolve } = Promise.withResolvers<number>();
  const asked = request(`${api.baseUrl}/models`, {
    headers: { ...headers, connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' },
  });
  asked.on('response', (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  asked.on('upgrade', () => resolve(101));
  asked.end();
  expect(await promise).toBe(200);
});

it('sends Codex to HTTP with a wrong key, where it shows the error sooner', async () => {
  const { api, secret } = harness;
  const codex = { 'user-agent': 'codex_exec/0.171.0' };
  const refused = await readRefusal(api, changeLast(secret), codex);
  expect(refused).toMatchObject({ status: 426, upgrade: 'HTTP/1.1' });
  expect(refused.body).toContain('Authentication Error');
  expect(await readRefusal(api, secret, codex)).toMatchObject({ status: 101 });
});

it('answers 426 where WebSockets are disabled, and for more than may be open', async () => {
  const { secret } = harness;
  const disabled = await startTestApi({ db, runtime: 'node', sockets: { isEnabled: false } });
  const limited = await startTestApi({
    db,
    runtime: 'node',
    sockets: { maxKeySockets: 1, maxAccountSockets: 2 },
  });
  try {
    expect(await readRefusal(disabled, secret)).toMatchObject({ status: 426, upgrade: 'HTTP/1.1' });
    await using first = await openSocket(limited.baseUrl, secret);
    const refused = await readRefusal(limited, secret);
    expect(refused).toMatchObject({ status: 426, upgrade: 'HTTP/1.1' });
    expect(refused.body).toContain('websocket_not_supported');
    const others = await Promise.all([harness.createKey(), harness.createKey()]);
    await using second = await openSocket(limited.baseUrl, others[0].secret);
    expect(await readRefusal(limited, others[1].secret)).toMatchObject({ status: 426 });
    second.webSocket.close();
    await second.closed;
    await expect.poll(() => limited.deps.sockets.size).toBe(1);
    await using third = await openSocket(limited.baseUrl, others[1].secret);
    expect(await third.ask({ model: NATIVE, input: 'Hi.' })).toMatchObject({ type: 'response.completed' });
    expect(first.events).toEqual([]);
  } finally {
    await disabled.close();
    await limited.close();
  }
});

describe('limits of time', () => {
  it('ends an idle connection', async () => {
    const api = await startTestApi({ db, runtime: 'node', tickMs: 20, sockets: { idleMs: 200 } });
    try {
      await using socket = await openSocket(api.baseUrl, harness.secret);
      expect(await socket.closed).toEqual({ code: 1001, reason: 'The connection was idle.' });
    } finally {
      await api.close();
    }
  });

  it('ends an old connection after its response, with the code that clients know', async () => {
    const api = await startTestApi({ db, runtime: 'node', tickMs: 20, sockets: { maxAgeMs: 300 } });
    try {
      await using socket = await openSocket(api.baseUrl, harness.secret);
      provider.next({ answer: { words: 30 }, intervalMs: 20 });
      expect(await socket.ask({ model: TRANSLATED, input: 'Write.' })).toMatchObject({
        type: 'response.completed',
      });
      expect(await socket.next(({ type }) => type === 'error')).toMatchObject({
        status: 400,
        error: { code: 'websocket_connection_limit_reached' },
      });
      expect(await socket.closed).toMatchObject({ code: 1001 });
    } finally {
      await api.close();
    }
  });

  it('drops a connection that answers no ping, and keeps one that does', async () => {
    const api = await startTestApi({ db, runtime: 'node', tickMs: 20, sockets: { pingMs: 300 } });
    try {
      await using silent = await openSocket(api.baseUrl, harness.secret, { autoPong: false });
      await using alive = await openSocket(api.baseUrl, harness.secret);
      expect(await silent.closed).toMatchObject({ code: 1006 });
      await sleep(700);
      expect(alive.webSocket.readyState).toBe(alive.webSocket.OPEN);
    } finally {
      await api.close();
    }
  });
});

it('finishes the response in progress before a restart, drops the ones that wait, and closes with 1012', async () => {
  const api = await startTestApi({ db, runtime: 'node' });
  const server = createNodeServer(api.deps);
  await listen(server, 0, '127.0.0.1');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const { accountId, secret } = await harness.openAccount();
  await using idle = await openSocket(baseUrl, secret);
  await using busy = await openSocket(baseUrl, secret);
  await using never = await openSocket(baseUrl, secret);
  never.webSocket.pause();
  provider.next({ answer: { words: 40 }, intervalMs: 20 });
  busy.create({ model: TRANSLATED, input: 'Write.' });
  busy.create({ model: TRANSLATED, input: 'Write.' });
  await busy.next(({ type }) => type === 'response.output_text.delta');
  const startMs = performance.now();
  const drained = drain(server, api.deps, { delayMs: 0, timeoutMs: 20_000 });
  expect(await idle.closed).toMatchObject({ code: 1012 });
  expect(await busy.next(({ type }) => type === 'response.completed')).toMatchObject({
    response: { status: 'completed' },
  });
  expect(await busy.closed).toMatchObject({ code: 1012 });
  await drained;
  // The connection that reads nothing is dropped.
  expect(performance.now() - startMs).toBeLessThan(10_000);
  expect(provider.requests).toHaveLength(1);
  const bills =
    await db.sql`SELECT status FROM requests WHERE account_id = ${accountId} AND state = 'settled'`;
  expect(bills.map(({ status }) => Number(status))).toEqual([200]);
});

it('leaves a ledger that adds up', async () => {
  expect((await verifyLedger(db, { recompute: null })).findings).toEqual([]);
});
