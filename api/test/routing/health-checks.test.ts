import { setTimeout } from 'node:timers/promises';
import { NO_USAGE } from '@tollgate/core/money/money';
import { addHealthChecks, listLastHealthChecks } from '@tollgate/db/queries/health-checks/health-checks';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import type { FakeDialect } from '@tollgate/testing/fake-provider/script';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { CheckTally } from '../../src/health-checks/check-tally.ts';
import { HealthChecks } from '../../src/health-checks/health-checks.ts';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';

/** An interval of 10 s, the shortest one, takes 150 ms. */
const TIMES = { lookMs: 10, secondMs: 15, limitMs: 500 };
const INTERVAL_S = 10;

const database = await createTestDatabase();
const { sql } = database.db;
const { accountId } = await createAccountFixture(database.db);
const { secret } = await createKeyFixture(database.db, accountId, {});
const provider = await createFakeProvider();
const api = await startTestApi({
  db: database.db,
  runtime: 'node',
  breaker: { failures: 1, openMs: 60_000 },
  healthChecks: TIMES,
});

afterEach(async () => {
  await sql`TRUNCATE providers, models CASCADE`;
  await api.deps.catalogue.load();
  provider.reset();
});
afterAll(async () => {
  await api.close();
  for (const each of [provider, database]) await each[Symbol.asyncDispose]();
});

interface Added {
  intervalS?: number | null;
  dialect?: FakeDialect | 'openai-responses';
  maxConcurrency?: number | null;
}

let models = 0;

/** Adds a model with one route, at a cost of half of the price. */
async function addModel(added: Added = {}): Promise<string> {
  models += 1;
  const id = `model-${models}`;
  const { intervalS = INTERVAL_S, dialect = 'openai-chat' } = added;
  await sql`INSERT INTO models (id, health_check_interval_s) VALUES (${id}, ${intervalS})`;
  await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
    VALUES (${id}, 1000000000, 4000000000, now() - interval '1 minute')`;
  await sql`INSERT INTO providers (id, name, dialect, base_url, max_concurrency)
    VALUES (${`prov_${id}`}, ${`prov-${id}`}, ${dialect}, ${`${provider.origin}/v1`}, ${added.maxConcurrency ?? null})`;
  await sql`INSERT INTO routes (id, model_id, provider_id, cost_ppm)
    VALUES (${`route_${id}`}, ${id}, ${`prov_${id}`}, 500000)`;
  await api.deps.catalogue.load();
  return id;
}

const ask = (model: string) =>
  post(
    `${api.baseUrl}/chat/completions`,
    { model, messages: [{ role: 'user', content: 'Say hello.' }] },
    { secret },
  );

/** The requests for a model, also those of health checks. */
const listSent = (model: string) =>
  provider.requests.filter(({ body }) => body.toString().includes(`"${model}"`));

interface Row {
  checks: number;
  failures: number;
  input: number;
  output: number;
  cost: number;
  error: string | null;
}

/** The fake provider writes none itself. Its output limit was too small for any text. */
const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_800_000_000,
  status: 'incomplete',
  incomplete_details: { reason: 'max_output_tokens' },
  model: 'm',
  output: [],
  usage: { input_tokens: 11, output_tokens: 16, total_tokens: 27 },
};

/** The health checks of a model that are stored. */
async function readRow(model: string): Promise<Row | undefined> {
  const [row] = await sql<Row[]>`
    SELECT sum(checks)::int AS checks, sum(failures)::int AS failures, sum(input_tokens)::int AS input,
      sum(output_tokens)::int AS output, sum(cost_nano_usd)::int AS cost, max(last_error) AS error
    FROM health_checks WHERE model = ${model} HAVING count(*) > 0`;
  return row;
}

/** A model that only these checks look at, for which a check may take a minute. */
async function openSlowChecks(added: Added = {}): Promise<{ model: string; checks: HealthChecks }> {
  const model = await addModel({ ...added, intervalS: null });
  const found = api.deps.catalogue.current.get(model);
  if (found === undefined) throw new Error('the model is not in the catalogue');
  const checked = { ...found, routing: { ...found.routing, healthCheckIntervalS: INTERVAL_S } };
  const checks = new HealthChecks({
    ...api.deps,
    catalogue: { current: new Map([[model, checked]]) },
    tally: new CheckTally({ store: (counts) => addHealthChecks(database.db, counts), log: api.deps.log }),
    times: { ...TIMES, limitMs: 60_000 },
  });
  return { model, checks };
}

const isResting = (model: string) => api.deps.upstreams.breakers.isResting(`route_${model}`);
const WAIT = { timeout: 15_000 };

describe('health checks', () => {
  it('are sent only to routes of models that ask for them, which note when they last answered', async () => {
    const unchecked = await addModel({ intervalS: null });
    const { served } = api.deps.upstreams;
    const idle = await addModel();
    await expect.poll(() => listSent(idle).length, WAIT).toBeGreaterThan(2);
    expect(listSent(unchecked)).toHaveLength(0);
    await (await ask(idle)).text();
    expect(Date.now() - served.getServedAtMs(`route_${idle}`)).toBeLessThan(60_000);
    await (await ask(unchecked)).text();
    expect(served.getServedAtMs(`route_${unchecked}`)).toBe(-Infinity);
  });

  it.each([
    ['openai-chat', '/v1/chat/completions', { max_tokens: 16, stream: false }],
    ['anthropic-messages', '/v1/messages', { max_tokens: 16, stream: false }],
    ['openai-responses', '/v1/responses', { max_output_tokens: 16, stream: false }],
  ] as const)('are small requests in the dialect of the provider: %s', async (dialect, path, members) => {
    if (dialect === 'openai-responses') provider.always({ replay: { body: JSON.stringify(RESPONSE) } });
    const model = await addModel({ dialect });
    await expect.poll(() => listSent(model).length, WAIT).toBeGreaterThan(0);
    const [request] = listSent(model);
    expect(request?.path).toBe(path);
    expect(JSON.parse(request?.body.toString() ?? '')).toMatchObject({ model, ...members });
    await expect.poll(async () => (await readRow(model))?.failures, WAIT).toBe(0);
  });
});

describe('an open breaker', () => {
  it('is closed by a health check, before a request would probe the route', async () => {
    const model = await addModel();
    provider.always({ error: { status: 500 } });
    expect((await ask(model)).status).toBe(500);
    const failed = listSent(model).length;
    expect((await ask(model)).status).toBe(503);
    // Failed checks leave it open.
    await expect.poll(() => listSent(model).length, WAIT).toBeGreaterThan(failed + 1);
    expect(isResting(model)).toBe(true);
    provider.reset();
    await expect.poll(() => isResting(model), WAIT).toBe(false);
    expect((await ask(model)).status).toBe(200);
  });

  it('is never the result of a failed health check, and neither is a credential that is set aside', async () => {
    provider.always({ error: { status: 401 } });
    const model = await addModel();
    await expect.poll(async () => (await readRow(model))?.failures, WAIT).toBeGreaterThan(1);
    expect(await readRow(model)).toMatchObject({ error: 'status_401', cost: 0 });
    expect(api.deps.upstreams.breakers.isFailing(`route_${model}`)).toBe(false);
    expect(await sql`SELECT 1 FROM provider_credentials WHERE set_aside_at IS NOT NULL`).toHaveLength(0);
    provider.reset();
    expect((await ask(model)).status).toBe(200);
  });
});

describe('what health checks cost', () => {
  it('is recorded by route at the price of its provider, and no account pays for it', async () => {
    const readMoney = () => sql`SELECT * FROM balances`;
    const before = await readMoney();
    provider.always({ answer: { usage: { ...NO_USAGE, inputTokens: 11, outputTokens: 3 } } });
    const model = await addModel();
    await expect.poll(async () => (await readRow(model))?.checks ?? 0, WAIT).toBeGreaterThan(1);
    const row = await readRow(model);
    const checks = row?.checks ?? 0;
    // 11 tokens at 1 USD and 3 at 4 USD per million, times 0.5, rounded up for each check.
    expect(row).toMatchObject({ failures: 0, input: 11 * checks, output: 3 * checks, cost: 11_500 * checks });
    expect(listSent(model).length).toBeGreaterThanOrEqual(checks);
    expect(await readMoney()).toEqual(before);
    expect(await sql`SELECT 1 FROM requests WHERE model = ${model}`).toHaveLength(0);
    expect((await verifyLedger(database.db, { recompute: null })).findings).toEqual([]);
  });
});

describe('a health check', () => {
  it('ends at its time limit, with what the provider may bill', async () => {
    provider.always({ stallBeforeHeaders: true });
    const model = await addModel();
    await expect.poll(async () => (await readRow(model))?.error, WAIT).toBe('timeout');
    const row = await readRow(model);
    // 16 tokens each at 1 and 4 USD per million, times 0.5.
    expect(row?.cost).toBe(40_000 * (row?.checks ?? 0));
  });

  it('waits for a free place at its provider', async () => {
    const model = await addModel({ maxConcurrency: 1, intervalS: null });
    provider.next({ headersDelayMs: 600 });
    const asked = ask(model);
    await expect.poll(() => listSent(model).length).toBe(1);
    await sql`UPDATE models SET health_check_interval_s = 10`;
    await api.deps.catalogue.load();
    expect((await asked).status).toBe(200);
    // Several intervals have passed.
    expect(listSent(model)).toHaveLength(1);
    await expect.poll(() => listSent(model).length, WAIT).toBeGreaterThan(1);
  });

  it('leaves its place at the provider to a caller, and its cost is counted', async () => {
    const { model, checks } = await openSlowChecks({ maxConcurrency: 1 });
    provider.next({ stallBeforeHeaders: true });
    checks.start();
    await expect.poll(() => listSent(model).length, WAIT).toBe(1);
    expect((await ask(model)).status).toBe(200);
    await checks.close();
    expect(await readRow(model)).toMatchObject({ checks: 1, failures: 0, cost: 40_000 });
    expect(await listLastHealthChecks(database.db, model)).toEqual([]);
  });

  it('takes its turn after many routes that never answer', async () => {
    provider.always({ stallBeforeHeaders: true });
    for (let index = 0; index < 40; index += 1) await addModel();
    await expect.poll(() => provider.requests.length, WAIT).toBeGreaterThanOrEqual(16);
    const last = await addModel();
    await expect.poll(() => listSent(last).length, WAIT).toBeGreaterThan(1);
  });

  it('is the only one of its route, and is ended when the api drains', async () => {
    const { model, checks } = await openSlowChecks();
    provider.always({ stallBeforeHeaders: true });
    checks.start();
    await expect.poll(() => listSent(model).length, WAIT).toBe(1);
    await setTimeout(3 * INTERVAL_S * TIMES.secondMs);
    expect(listSent(model)).toHaveLength(1);
    await checks.close();
    await setTimeout(2 * INTERVAL_S * TIMES.secondMs);
    expect(listSent(model)).toHaveLength(1);
    // The provider may bill it.
    expect(await readRow(model)).toMatchObject({ checks: 1, failures: 0, cost: 40_000 });
  });
});
