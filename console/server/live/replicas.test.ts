import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@tollgate/db/client';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider, type FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { hasRedisServer, NO_REDIS_MESSAGE, startRedis } from '@tollgate/testing/redis-server';
import { spawnApi, type ApiProcess } from '@tollgate/testing/spawn-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';

const MODEL = 'fake-model';
/** Within this time, repeated questions get the cached response. */
const FRESH_MS = 950;
const PRICES = {
  inputNanoUsdPerMtok: 1_000_000n,
  outputNanoUsdPerMtok: 5_000_000n,
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
};

async function addProvider(db: Database, provider: FakeProvider): Promise<void> {
  await ensureBuiltIn(db, {
    name: 'fake',
    dialect: 'openai-chat',
    baseUrl: `${provider.origin}/v1`,
    credentialEnv: null,
    preset: null,
    models: [{ id: MODEL, upstreamModel: null, facts: {}, prices: PRICES }],
  });
}

async function complete(api: ApiProcess, secret: string): Promise<number> {
  const response = await fetch(`${api.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model: MODEL, max_tokens: 20, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  await response.text();
  return response.status;
}

describe('state that only the API replicas know', () => {
  let site: TestConsole;
  let provider: FakeProvider;
  let dataDir: string;
  let one: ApiProcess;
  let other: ApiProcess;
  let owner: SignedIn;
  let operator: SignedIn;
  beforeAll(async () => {
    [site, provider] = await Promise.all([createTestConsole(), createFakeProvider()]);
    await addProvider(site.deps.db, provider);
    dataDir = await mkdtemp(path.join(tmpdir(), 'tollgate-replicas-'));
    const start = async () =>
      spawnApi({ databaseUrl: site.deps.db.url, dataDir: await mkdtemp(path.join(dataDir, 'api-')) });
    [one, other, owner, operator] = await Promise.all([
      start(),
      start(),
      signUpVerified(site),
      signUpOperator(site),
    ]);
  });
  afterAll(async () => {
    await Promise.all([one.terminate(), other.kill()]);
    await Promise.all([provider.close(), site[Symbol.asyncDispose]()]);
    await rm(dataDir, { recursive: true, force: true });
  });

  const getWindows = (keyId: string) =>
    owner.visitor.client.keys.windows.query({ accountId: owner.accountId, keyId });
  const listReplicas = async () => (await operator.visitor.client.operator.replicas.list.query()).replicas;
  const createKey = (scope: { rpm?: number; tpm?: number } = {}) =>
    createKeyFixture(site.deps.db, owner.accountId, scope);

  it('is summed for a key whose limits each replica keeps separately, and reading uses no limit', async () => {
    const { key, secret } = await createKey({ rpm: 10, tpm: 5_000 });
    expect(await getWindows(key.id)).toMatchObject({
      key: { requests: { limit: 10, used: 0 }, tokens: { limit: 5_000, used: 0 } },
      keptBy: 'memory',
      processes: { responded: 2, missing: 0 },
    });
    for (const api of [one, one, one, other, other]) expect(await complete(api, secret)).toBe(200);
    await sleep(FRESH_MS);
    const used = await getWindows(key.id);
    expect(used.key.requests).toMatchObject({ limit: 10, used: 5 });
    expect(used.key.requests.freeInMs).toBeGreaterThan(55_000);
    expect(used.key.requests.freeInMs).toBeLessThanOrEqual(60_000);
    expect(used.key.tokens.used).toBeGreaterThan(0);
    expect(used.plan).toMatchObject({ id: 'free', requests: { limit: 60, used: 5 } });
    await sleep(FRESH_MS);
    expect((await getWindows(key.id)).key.requests.used).toBe(5);
    for (let call = 3; call < 10; call++) expect(await complete(one, secret)).toBe(200);
    expect(await complete(one, secret)).toBe(429);
    await sleep(FRESH_MS);
    // Either process lets ten pass: together it is more than the limit.
    expect((await getWindows(key.id)).key.requests).toMatchObject({ limit: 10, used: 12 });
  });

  it('is computed from the recorded requests if there is no limit', async () => {
    const { key, secret } = await createKey();
    expect(await complete(other, secret)).toBe(200);
    await expect
      .poll(async () => (await getWindows(key.id)).key, { timeout: 5_000 })
      .toMatchObject({
        requests: { limit: null, used: 1, freeInMs: null },
        tokens: { limit: null, used: expect.toSatisfy((tokens: number) => tokens > 0) },
      });
  });

  it('is how each of them is: its release, its work, and the breakers of routes that fail there', async () => {
    const { secret } = await createKey();
    expect((await listReplicas()).map(({ report }) => report)).toEqual([
      expect.objectContaining({ version: '0.1.0', inFlight: 0, limits: 'memory', breakers: [] }),
      expect.objectContaining({ version: '0.1.0', inFlight: 0, limits: 'memory', breakers: [] }),
    ]);
    provider.always({ error: { status: 500 } });
    for (let call = 0; call < 5; call++) expect(await complete(one, secret)).toBeGreaterThanOrEqual(500);
    provider.reset();
    await sleep(FRESH_MS);
    const breakers = (await listReplicas()).flatMap(({ report }) => report?.breakers ?? []);
    expect(breakers).toEqual([
      expect.objectContaining({
        modelId: MODEL,
        providerName: 'fake',
        counts: 'completions',
        state: 'open',
        failures: 5,
        lastError: 'status_500',
      }),
    ]);
    expect(breakers[0]?.retryInMs).toBeGreaterThan(5_000);
    expect(await complete(one, secret)).toBe(503);
    expect(await complete(other, secret)).toBe(200);
  });

  it('is missing for a killed replica, without a long wait', async () => {
    const { key, secret } = await createKey({ rpm: 10 });
    expect(await complete(other, secret)).toBe(200);
    await other.kill();
    const startedAtMs = performance.now();
    expect(await getWindows(key.id)).toMatchObject({
      key: { requests: { used: 0 } },
      processes: { responded: 1, missing: 1 },
    });
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
    const states = async () => (await listReplicas()).map(({ state }) => state).toSorted();
    await sleep(FRESH_MS);
    expect(await states()).toEqual(['answers', 'unresponsive']);
    // Advance 30 s: the live replica renews its heartbeat, the dead one does not.
    await site.deps.db.sql`UPDATE replicas SET heartbeat_at = heartbeat_at - interval '30 seconds'`;
    await expect
      .poll(async () => (await states()).filter((state) => state !== 'stale'), { timeout: 10_000 })
      .toEqual(['answers']);
  });

  it('is limited to a number of questions per session', async () => {
    const stranger = await signUpVerified(site);
    const { key } = await createKeyFixture(site.deps.db, stranger.accountId);
    const ask = () =>
      stranger.visitor.client.keys.windows
        .query({ accountId: stranger.accountId, keyId: key.id })
        .then(() => 'answered' as const)
        .catch((error: { data?: { code?: string; retryAfterSeconds?: number } }) => error.data);
    const answers = [];
    // So many go in one request to the console.
    for (const batch of [20, 20, 20, 1])
      answers.push(...(await Promise.all(Array.from({ length: batch }, ask))));
    expect(answers.filter((answer) => answer === 'answered')).toHaveLength(60);
    expect(answers.find((answer) => answer !== 'answered')).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= 10),
    });
  });
});

it('is counted once for workers of one api, which share their limits', async () => {
  await using site = await createTestConsole();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tollgate-workers-'));
  const api = await spawnApi({ databaseUrl: site.deps.db.url, dataDir, workers: 2 });
  try {
    const operator = await signUpOperator(site);
    const { key } = await createKeyFixture(site.deps.db, operator.accountId, { rpm: 10 });
    const listReports = async () =>
      (await operator.visitor.client.operator.replicas.list.query()).replicas.map(({ report }) => report);
    await expect.poll(listReports).toHaveLength(2);
    await expect
      .poll(async () => (await listReports()).filter((report) => report?.isCountedElsewhere))
      .toHaveLength(1);
    const windows = { accountId: operator.accountId, keyId: key.id };
    expect(await operator.visitor.client.keys.windows.query(windows)).toMatchObject({
      keptBy: 'memory',
      processes: { responded: 1, missing: 0 },
    });
  } finally {
    await api.terminate();
    await rm(dataDir, { recursive: true, force: true });
  }
});

if (!hasRedisServer) process.stdout.write(`${NO_REDIS_MESSAGE}: windows that several processes share\n`);

it.skipIf(!hasRedisServer)('is counted once where Redis keeps it for all of them', async () => {
  await using site = await createTestConsole();
  await using provider = await createFakeProvider();
  await using redis = await startRedis();
  await addProvider(site.deps.db, provider);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tollgate-replicas-'));
  const start = async () =>
    spawnApi({
      databaseUrl: site.deps.db.url,
      dataDir: await mkdtemp(path.join(dataDir, 'api-')),
      redisUrl: redis.url,
    });
  const [one, other, owner] = await Promise.all([start(), start(), signUpVerified(site)]);
  const { key, secret } = await createKeyFixture(site.deps.db, owner.accountId, { rpm: 10 });
  for (const api of [one, other, other]) expect(await complete(api, secret)).toBe(200);
  const asked = { accountId: owner.accountId, keyId: key.id };
  expect(await owner.visitor.client.keys.windows.query(asked)).toMatchObject({
    key: { requests: { limit: 10, used: 3 } },
    plan: { requests: { limit: 60, used: 3 } },
    keptBy: 'redis',
    processes: { missing: 0 },
  });
  await Promise.all([one.kill(), other.kill()]);
  await rm(dataDir, { recursive: true, force: true });
});

it('is unknown if no API replica runs', async () => {
  await using site = await createTestConsole();
  const owner = await signUpVerified(site);
  const { key } = await createKeyFixture(site.deps.db, owner.accountId, { rpm: 5 });
  const windows = await owner.visitor.client.keys.windows.query({
    accountId: owner.accountId,
    keyId: key.id,
  });
  expect(windows).toMatchObject({
    key: { requests: { limit: 5, used: null, freeInMs: null } },
    keptBy: null,
    processes: { responded: 0, missing: 0 },
  });
});
