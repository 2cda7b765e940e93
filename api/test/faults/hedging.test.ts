import { setTimeout } from 'node:timers/promises';
import type { FakeDialect, Script } from '@tollgate/testing/fake-provider/script';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';

const HEDGE_MS = 200;
/** Longer than any test. */
const SILENT_MS = 20_000;

const database = await createTestDatabase();
const { sql } = database.db;
const first = await createFakeProvider();
const second = await createFakeProvider();
const { accountId } = await createAccountFixture(database.db);
const { secret } = await createKeyFixture(database.db, accountId, {});
const api = await startTestApi({
  db: database.db,
  runtime: 'node',
  attempts: 3,
  drainAfterDisconnectMs: 300,
});

afterEach(async () => {
  first.reset();
  second.reset();
  if (!(await api.deps.inFlight.waitUntilEmpty(3_000))) throw new Error('a request is still in flight');
});
afterAll(async () => {
  await api.close();
  for (const each of [first, second, database]) await each[Symbol.asyncDispose]();
});

let models = 0;

interface Hedged {
  hedgeAfterMs?: number | null;
  /** Of the second provider. */
  maxConcurrency?: number;
  dialect?: FakeDialect;
}

/** Adds a model with its own providers, whose second route is tried after the first one. */
async function addModel({ hedgeAfterMs = HEDGE_MS, maxConcurrency, dialect = 'openai-chat' }: Hedged = {}) {
  models += 1;
  const id = `model-${models}`;
  await sql`INSERT INTO models (id, hedge_after_ms) VALUES (${id}, ${hedgeAfterMs})`;
  await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
    VALUES (${id}, 1000000000, 2000000000, now() - interval '1 minute')`;
  for (const [priority, [name, { origin }]] of Object.entries({ first, second }).entries()) {
    await sql`INSERT INTO providers (id, name, dialect, base_url, max_concurrency) VALUES (${`${id}_${name}`},
      ${`${name}-${models}`}, ${dialect}, ${`${origin}/v1`}, ${name === 'second' ? (maxConcurrency ?? null) : null})`;
    await sql`INSERT INTO routes (id, model_id, provider_id, priority)
      VALUES (${`route_${id}_${name}`}, ${id}, ${`${id}_${name}`}, ${priority})`;
  }
  await api.deps.catalogue.load();
  return id;
}

const ask = (model: string, stream = true) =>
  post(
    `${api.baseUrl}/chat/completions`,
    { model, messages: [{ role: 'user', content: 'Say hello.' }], stream },
    { secret },
  );

interface Recorded {
  attempts: { provider: string; outcome: string }[] | null;
  cost: string;
  unbilled: string;
  route: string;
}

async function findRecord(id: string | null): Promise<Recorded | undefined> {
  const find = () => sql<Recorded[]>`
    SELECT attempts, cost_nano_usd::text AS cost, operator_cost_nano_usd::text AS unbilled, route_id AS route
    FROM requests WHERE id = ${id} AND status IS NOT NULL`;
  await expect.poll(async () => (await find()).length).toBe(1);
  return (await find())[0];
}

const getId = (response: Response) => response.headers.get('x-request-id');
const list = (record: Recorded | undefined) =>
  (record?.attempts ?? []).map(({ provider, outcome }) => `${provider.replace(/-.*/, '')} ${outcome}`);

/** The second route was called, and has failed. */
const hasHedgeFailed = () => expect.poll(() => second.requests[0]?.outcome ?? 'pending').not.toBe('pending');

/** Until the gateway has looked at the request several times. */
const wait = () => setTimeout(600);

/** The cost of the same request without hedging. */
async function getUsualCost(): Promise<string | undefined> {
  const response = await ask(await addModel({ hedgeAfterMs: null }));
  await response.text();
  first.reset();
  return (await findRecord(getId(response)))?.cost;
}

describe('a second route, started because the first one has no text', () => {
  it.each<[string, Script, FakeDialect]>([
    ['sends nothing', { headersDelayMs: SILENT_MS }, 'openai-chat'],
    ['sends only its headers', { firstByteDelayMs: SILENT_MS }, 'openai-chat'],
    ['sends only a chunk without text', { stallAfterPieces: 1, stallMs: SILENT_MS }, 'openai-chat'],
    ['sends nothing, in another dialect', { headersDelayMs: SILENT_MS }, 'anthropic-messages'],
  ])('answers if the first one %s', async (_, silent, dialect) => {
    const cost = dialect === 'openai-chat' ? await getUsualCost() : undefined;
    const model = await addModel({ dialect });
    first.always(silent);
    const response = await ask(model);
    expect(await response.text()).toContain('[DONE]');
    const record = await findRecord(getId(response));
    expect(list(record)).toEqual(['first hedged', 'second answered']);
    expect(record?.route).toBe(`route_${model}_second`);
    if (cost !== undefined) expect(record?.cost).toBe(cost);
    // The first one may have read the input.
    expect(Number(record?.unbilled)).toBeGreaterThan(0);
    await expect.poll(() => first.requests[0]?.outcome).toBe('aborted');
    expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
  });

  it('is cancelled if the first one answers after all', async () => {
    const cost = await getUsualCost();
    const model = await addModel();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    first.always({ firstByteAfter: mayAnswer });
    second.always({ firstByteDelayMs: SILENT_MS });
    const asked = ask(model);
    await expect.poll(() => second.requests.length).toBe(1);
    answer();
    const response = await asked;
    expect(await response.text()).toContain('[DONE]');
    const record = await findRecord(getId(response));
    expect(list(record)).toEqual(['second hedged', 'first answered']);
    expect([record?.route, record?.cost]).toEqual([`route_${model}_first`, cost]);
    expect(Number(record?.unbilled)).toBeGreaterThan(0);
    await expect.poll(() => second.requests[0]?.outcome).toBe('aborted');
  });

  it.each<[string, Script, string]>([
    ['an error', { error: { status: 500 } }, 'status_500'],
    ['a broken connection', { cutBeforeHeaders: true }, 'cut'],
    ['a stream without text', { cutAfterPieces: 1 }, 'cut'],
  ])('does not disturb the first one if it ends with %s', async (_, failing, outcome) => {
    const model = await addModel();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    first.always({ firstByteAfter: mayAnswer });
    second.always(failing);
    const asked = ask(model);
    await hasHedgeFailed();
    await wait();
    answer();
    const response = await asked;
    expect(await response.text()).toContain('[DONE]');
    const record = await findRecord(getId(response));
    expect(list(record)).toEqual([`second ${outcome}`, 'first answered']);
    expect(second.requests).toHaveLength(1);
  });

  it('takes over if the first one fails', async () => {
    const model = await addModel();
    const { promise: mayFail, resolve: fail } = Promise.withResolvers<void>();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    first.always({ headersAfter: mayFail, error: { status: 503 } });
    second.always({ firstByteAfter: mayAnswer });
    const asked = ask(model);
    await expect.poll(() => second.requests.length).toBe(1);
    fail();
    await expect.poll(() => first.requests[0]?.outcome).toBe('complete');
    await wait();
    answer();
    const response = await asked;
    expect(await response.text()).toContain('[DONE]');
    expect(list(await findRecord(getId(response)))).toEqual(['first status_503', 'second answered']);
    expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
  });

  it('is ended together with the first one if the caller disconnects', async () => {
    const model = await addModel();
    for (const each of [first, second]) each.always({ headersDelayMs: SILENT_MS });
    const controller = new AbortController();
    const asked = fetch(`${api.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi.' }], stream: true }),
      signal: controller.signal,
    }).then((response) => response.text());
    await expect.poll(() => second.requests.length).toBe(1);
    controller.abort();
    await expect(asked).rejects.toThrow('aborted');
    await expect.poll(() => second.requests[0]?.outcome, { timeout: 10_000 }).toBe('aborted');
    await expect.poll(() => first.requests[0]?.outcome, { timeout: 10_000 }).toBe('aborted');
    await expect.poll(() => api.deps.inFlight.size).toBe(0);
  });

  it.each<[string, Hedged, boolean]>([
    ['the model does not ask for it', { hedgeAfterMs: null }, true],
    ['the response is not a stream', {}, false],
  ])('is not started if %s', async (_, hedged, stream) => {
    const model = await addModel(hedged);
    first.always({ headersDelayMs: 900 });
    expect((await ask(model, stream)).status).toBe(200);
    expect(second.requests).toHaveLength(0);
  });

  it('is not started while its provider has no place, and gives its place back', async () => {
    const model = await addModel({ maxConcurrency: 1 });
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    first.always({ firstByteAfter: mayAnswer });
    second.always({ firstByteDelayMs: SILENT_MS });
    const asked = [ask(model), ask(model)];
    // Both wait for their first text at the same time: after the end of the first one, the place would be free.
    await expect.poll(() => first.requests.length).toBe(2);
    await expect.poll(() => second.requests.length).toBe(1);
    await wait();
    expect(second.requests).toHaveLength(1);
    answer();
    for (const response of await Promise.all(asked)) expect(await response.text()).toContain('[DONE]');
    expect(second.requests).toHaveLength(1);
    second.reset();
    first.always({ headersDelayMs: SILENT_MS });
    expect(await (await ask(model)).text()).toContain('[DONE]');
    expect(second.requests).toHaveLength(1);
  });
});
