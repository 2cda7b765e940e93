import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider, type FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi, type TestApiOptions } from '../../src/testing/start-test-api.ts';

const database = await createTestDatabase();
const { sql } = database.db;
const first = await createFakeProvider();
const second = await createFakeProvider();
const { accountId } = await createAccountFixture(database.db);
const { secret } = await createKeyFixture(database.db, accountId, {});
const messages = [{ role: 'user', content: 'Say hello.' }];
const open: TestApi[] = [];

/** `two` has a route to each provider, `lone` only the first one, `busy` the first one with one request at a time. */
beforeAll(async () => {
  const addProvider = (id: string, { origin }: FakeProvider, most: number | null) =>
    sql`INSERT INTO providers (id, name, dialect, base_url, max_concurrency)
      VALUES (${id}, ${id}, 'openai-chat', ${`${origin}/v1`}, ${most})`;
  await addProvider('first', first, null);
  await addProvider('second', second, null);
  await addProvider('narrow', first, 1);
  for (const [model, providers] of [
    ['two', ['first', 'second']],
    ['lone', ['first']],
    ['busy', ['narrow', 'second']],
    ['busy-last', ['second', 'narrow']],
  ] as const) {
    // Without retries at the same provider, each provider is called once.
    await sql`INSERT INTO models (id, retry_budget_ms) VALUES (${model}, 0)`;
    await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
      VALUES (${model}, 1000000000, 2000000000, now() - interval '1 minute')`;
    for (const [priority, provider] of providers.entries())
      await sql`INSERT INTO routes (id, model_id, provider_id, priority)
        VALUES (${`route_${model}_${priority}`}, ${model}, ${provider}, ${priority})`;
  }
});

afterEach(async () => {
  first.reset();
  second.reset();
  await Promise.all(open.splice(0).map((api) => api.close()));
});

afterAll(async () => {
  await first.close();
  await second.close();
  await database[Symbol.asyncDispose]();
});

async function start(options: Partial<TestApiOptions> = {}) {
  const api = await startTestApi({ db: database.db, runtime: 'node', attempts: 2, ...options });
  open.push(api);
  const call = (model: string) => post(`${api.baseUrl}/chat/completions`, { model, messages }, { secret });
  return async (model = 'two') => {
    const { status, headers } = await call(model);
    const get = (name: string) => headers.get(name);
    return { status, retry: get('x-should-retry'), seconds: get('retry-after'), ms: get('retry-after-ms') };
  };
}

const permanent = (status: number) => ({ status, retry: 'false', seconds: null, ms: null });
const waits = (status: number, ms: number) => ({
  status,
  retry: null,
  seconds: String(Math.ceil(ms / 1_000)),
  ms: String(ms),
});

describe('the retry hint of a request whose last route refuses the credential of the gateway', () => {
  it('is the wait that another route has asked for', async () => {
    const ask = await start();
    first.next({ error: { status: 429, retryAfterSeconds: 7 } });
    second.next({ error: { status: 401 } });
    expect(await ask()).toEqual(waits(502, 7_000));
  });

  it('is the usual wait if another route has failed', async () => {
    const ask = await start();
    first.next({ error: { status: 500 } });
    second.next({ error: { status: 401 } });
    expect(await ask()).toEqual(waits(502, 1_000));
  });

  it('is the wait of a paused route', async () => {
    const ask = await start({ breaker: { failures: 1, openMs: 60_000 } });
    first.next({ error: { status: 500 } });
    expect((await ask()).status).toBe(200);
    second.next({ error: { status: 401 } });
    expect(await ask()).toEqual(waits(502, 10_000));
    expect(first.requests).toHaveLength(1);
  });

  it('is the wait of a busy route', async () => {
    const ask = await start();
    first.next({ headersDelayMs: 1_000 });
    const running = ask('busy');
    await expect.poll(() => first.requests.length).toBe(1);
    second.next({ error: { status: 401 } });
    expect(await ask('busy')).toEqual(waits(502, 1_000));
    expect((await running).status).toBe(200);
  });

  it('is the cooldown of a route that was not tried', async () => {
    const ask = await start({ attempts: 1 });
    first.next({ error: { status: 429, retryAfterSeconds: 30 } });
    expect((await ask()).status).toBe(429);
    second.next({ error: { status: 401 } });
    const hint = await ask();
    expect(hint).toMatchObject({ status: 502, retry: null });
    expect(Number(hint.ms)).toBeGreaterThan(20_000);
    expect(Number(hint.ms)).toBeLessThanOrEqual(30_000);
  });

  it('says that a retry cannot help if no route can answer', async () => {
    const ask = await start();
    first.next({ error: { status: 401 } });
    second.next({ error: { status: 401 } });
    expect(await ask()).toEqual(permanent(502));
    const paused = await start({ breaker: { failures: 1, openMs: 60_000 }, attempts: 1 });
    first.next({ error: { status: 401 } });
    await paused('lone');
    expect(await paused('lone')).toEqual(permanent(502));
  });
});

describe('the retry hint of a request', () => {
  it('is the shortest wait of its routes', async () => {
    const ask = await start();
    first.next({ error: { status: 500 } });
    second.next({ error: { status: 429, retryAfterSeconds: 60 } });
    expect(await ask()).toEqual(waits(429, 1_000));
    first.next({ error: { status: 429, retryAfterSeconds: 60 } });
    second.next({ error: { status: 429, retryAfterSeconds: 7 } });
    expect(await ask()).toMatchObject({ status: 429, retry: null, seconds: '7' });
  });

  it("replaces a provider's x-should-retry: false if another route may answer", async () => {
    const refusal = {
      body: '{"error":{"message":"No"}}',
      status: 503,
      headers: { 'x-should-retry': 'false' },
    };
    const ask = await start();
    first.always({ replay: refusal });
    expect(await ask('lone')).toEqual(permanent(503));
    first.reset();
    first.next({ error: { status: 500 } });
    second.next({ replay: refusal });
    expect(await ask()).toEqual(waits(503, 1_000));
  });

  it('is the wait of a busy route if the other one is paused because of its credential', async () => {
    const ask = await start({ breaker: { failures: 1, openMs: 60_000 } });
    second.next({ error: { status: 401 } });
    first.next({ headersDelayMs: 1_000 });
    const running = ask('busy-last');
    await expect.poll(() => first.requests.length).toBe(1);
    expect(await ask('busy-last')).toEqual(waits(503, 1_000));
    expect((await running).status).toBe(200);
  });

  it('says that a retry cannot help if a provider rejects the request itself', async () => {
    const ask = await start();
    first.next({ error: { status: 500 } });
    second.next({ error: { status: 400 } });
    expect(await ask()).toEqual(permanent(400));
  });

  it('comes with 503 in a dialect of OpenAI if the provider says 529', async () => {
    first.always({ error: { status: 529 } });
    const ask = await start();
    expect((await ask('lone')).status).toBe(503);
  });
});
