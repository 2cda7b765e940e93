import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi, type TestApiOptions } from '../../src/testing/start-test-api.ts';

const database = await createTestDatabase();
const { sql } = database.db;
const provider = await createFakeProvider();
const { accountId } = await createAccountFixture(database.db);
const { secret } = await createKeyFixture(database.db, accountId, {});
const { accountId: innocentId } = await createAccountFixture(database.db);
const { secret: innocentSecret } = await createKeyFixture(database.db, innocentId, {});
const messages = [{ role: 'user', content: 'Say hello.' }];

const start = (breaker: NonNullable<TestApiOptions['breaker']>, attempts = 1): Promise<TestApi> =>
  startTestApi({ db: database.db, runtime: 'node', breaker, attempts });

beforeAll(async () => {
  await sql`INSERT INTO providers (id, name, dialect, base_url)
    VALUES ('prov', 'prov', 'openai-chat', ${`${provider.origin}/v1`})`;
  await sql`INSERT INTO models (id) VALUES ('m')`;
  await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
    VALUES ('m', 1000000000, 2000000000, now() - interval '1 minute')`;
  await sql`INSERT INTO routes (id, model_id, provider_id) VALUES ('route_m', 'm', 'prov')`;
});

afterEach(() => provider.reset());

afterAll(async () => {
  await provider.close();
  await database[Symbol.asyncDispose]();
});

describe('a provider that fails repeatedly', () => {
  it('is skipped for a while, then tried with one request, and used again if that succeeds', async () => {
    const own = await start({ failures: 2, openMs: 300 });
    const call = () => post(`${own.baseUrl}/chat/completions`, { model: 'm', messages }, { secret });
    try {
      provider.next({ error: { status: 500 } });
      provider.next({ error: { status: 500 } });
      expect((await call()).status).toBe(500);
      expect((await call()).status).toBe(500);
      const refused = await call();
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).not.toBeNull();
      expect(provider.requests).toHaveLength(2);
      await new Promise((resolve) => setTimeout(resolve, 320));
      provider.next({ headersDelayMs: 200 });
      const seen = await Promise.all([call(), call(), call()]);
      expect(seen.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 503, 503]);
      expect((await call()).status).toBe(200);
    } finally {
      await own.close();
    }
  });
});

describe('a prompt that makes the provider fail', () => {
  it('opens the breaker only for its own account, with all retries of its SDK', async () => {
    const own = await start({ failures: 2, openMs: 60_000 });
    const call = (apiKey: string) =>
      post(`${own.baseUrl}/chat/completions`, { model: 'm', messages }, { secret: apiKey });
    try {
      for (let count = 0; count < 8; count++) provider.next({ error: { status: 500 } });
      for (let count = 0; count < 4; count++) await call(secret);
      provider.reset();
      expect((await call(secret)).status).toBe(503);
      const innocent = await Promise.all([1, 2, 3].map(() => call(innocentSecret)));
      expect(innocent.map(({ status }) => status)).toEqual([200, 200, 200]);
    } finally {
      await own.close();
    }
  });

  it('keeps saying that the provider refuses the account of the gateway, which the caller cannot change', async () => {
    const own = await start({ failures: 2, openMs: 60_000 });
    const call = async () => {
      const response = await post(`${own.baseUrl}/chat/completions`, { model: 'm', messages }, { secret });
      return [response.status, ((await response.json()) as { error: { code: string } }).error.code];
    };
    try {
      for (let count = 0; count < 2; count++) provider.next({ error: { status: 401 } });
      const refused = [502, 'upstream_misconfigured'];
      expect([await call(), await call(), await call()]).toEqual([refused, refused, refused]);
      expect(provider.requests).toHaveLength(2);
    } finally {
      await own.close();
    }
  });

  it('counts once per request, however often it is retried', async () => {
    const own = await start({ failures: 2, openMs: 60_000 }, 4);
    const call = () => post(`${own.baseUrl}/chat/completions`, { model: 'm', messages }, { secret });
    try {
      for (let count = 0; count < 4; count++) provider.next({ error: { status: 500 } });
      expect((await call()).status).toBe(500);
      expect(provider.requests.length).toBeGreaterThan(1);
      provider.reset();
      expect((await call()).status).toBe(200);
    } finally {
      await own.close();
    }
  });

  it('does not count as a failure of the route if the provider answers 429', async () => {
    const own = await start({ failures: 2, openMs: 60_000 });
    const call = () => post(`${own.baseUrl}/chat/completions`, { model: 'm', messages }, { secret });
    try {
      for (let count = 0; count < 6; count++) provider.next({ error: { status: 429 } });
      for (let count = 0; count < 6; count++) expect((await call()).status).toBe(429);
      expect((await call()).status).toBe(200);
    } finally {
      await own.close();
    }
  });
});

describe('a route that failed and is removed', () => {
  it('has no breaker any more', async () => {
    const own = await start({ failures: 1, openMs: 60_000 });
    const failing = () => own.deps.upstreams.breakers.reports().map(({ breakerId }) => breakerId);
    try {
      provider.next({ error: { status: 500 } });
      await post(`${own.baseUrl}/chat/completions`, { model: 'm', messages }, { secret });
      expect(failing()).toEqual(['route_m']);
      await sql`DELETE FROM routes WHERE id = 'route_m'`;
      await expect.poll(failing).toEqual([]);
    } finally {
      await own.close();
    }
  });
});
