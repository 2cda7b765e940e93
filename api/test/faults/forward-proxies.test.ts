import { createSealer } from '@tollgate/auth/seal';
import { addRoute } from '@tollgate/db/queries/catalogue/routes';
import { putModel } from '@tollgate/db/queries/models/models';
import { addProvider, changeConnection } from '@tollgate/db/queries/providers/providers';
import { readProxyEnvironment } from '@tollgate/upstreams/connection/proxy-environment';
import { readProxy } from '@tollgate/upstreams/connection/read-proxy';
import {
  startForwardProxy,
  type ForwardProxy,
} from '@tollgate/upstreams/transport/undici/forward-proxy.fixture';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, PRICES, type Harness } from '../gateway-fixture.ts';

const ENCRYPTION_KEY = Buffer.alloc(32, 5).toString('base64');
const authorization = `Basic ${Buffer.from('me:secret-word').toString('base64')}`;
let harness: Harness;
let own: ForwardProxy;
let shared: ForwardProxy;
let api: TestApi;

beforeAll(async () => {
  harness = await createHarness([MODEL]);
  [own, shared] = await Promise.all([startForwardProxy({ authorization }), startForwardProxy()]);
  const ownUrl = own.url.replace('http://', 'http://me:secret-word@');
  await addProxied('by-environment', 'environment');
  await addProxied('by-own', ownUrl);
  await addProxied('direct', 'direct');
  await addProxied('refused', ownUrl.replace('secret-word', 'other-word'));
  const { proxies } = readProxyEnvironment({ HTTP_PROXY: shared.url });
  api = await startTestApi({
    db: harness.database.db,
    runtime: 'node',
    encryptionKey: ENCRYPTION_KEY,
    proxies,
  });
});
beforeEach(() => {
  own.requests.length = 0;
  shared.requests.length = 0;
});
afterAll(async () => {
  await api.close();
  await own[Symbol.asyncDispose]();
  await shared[Symbol.asyncDispose]();
  await harness[Symbol.asyncDispose]();
});

/** A model with this name, whose provider has the proxy. */
async function addProxied(name: string, proxy: string): Promise<void> {
  const { db } = harness.database;
  const id = `prov_${name}`;
  const sealer = createSealer(ENCRYPTION_KEY);
  const read = readProxy(proxy, id, (plain, context) => sealer.seal(plain, context));
  if (!read.ok) throw new Error(read.reason);
  await addProvider(db, {
    id,
    name,
    dialect: 'openai-chat',
    baseUrl: `${harness.provider.origin}/v1`,
    credentialSealed: null,
    ...read.columns,
  });
  await putModel(db, { id: name, facts: {}, prices: PRICES, now: new Date(0) });
  const route = { modelId: name, providerName: name, upstreamModel: MODEL, priority: 0, weight: 1 };
  expect(await addRoute(db, route)).toMatchObject({ ok: true });
}

const ask = (model: string, stream: boolean) =>
  post(
    `${api.baseUrl}/chat/completions`,
    { model, stream, max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }] },
    { secret: harness.secret },
  );

it.each([
  ['by-environment', false, [0, 1]],
  ['by-environment', true, [0, 1]],
  ['by-own', false, [1, 0]],
  ['by-own', true, [1, 0]],
  ['direct', false, [0, 0]],
])('serves %s (stream: %s) through the proxy of its provider', async (model, stream, used) => {
  const response = await ask(model, stream);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain(stream ? 'data: [DONE]' : '"choices"');
  expect([own.requests.length, shared.requests.length]).toEqual(used);
});

it('closes its connections through a proxy that no provider uses any more', async () => {
  await ask('by-own', false);
  expect(own.sockets.size).toBeGreaterThan(0);
  const connection = { proxy: 'direct', proxySealed: null };
  await changeConnection(harness.database.db, { id: 'prov_by-own', connection, actorUserId: null });
  // Earlier than idle connections are closed.
  await expect.poll(() => own.sockets.size, { timeout: 2_500 }).toBe(0);
  expect((await ask('by-own', false)).status).toBe(200);
  expect(own.requests).toHaveLength(1);
});

it('reports a proxy that refuses its credential as an unreachable provider, without the credential', async () => {
  const response = await ask('refused', false);
  expect([502, 503]).toContain(response.status);
  expect(await response.text()).not.toMatch(/other-word|me:/);
});
