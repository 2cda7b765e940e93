import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import type { Script } from '@tollgate/testing/fake-provider/script';
import { PlaceCoordinator } from '@tollgate/upstreams/routing/coordinated/place-coordinator';
import { SharedConcurrency } from '@tollgate/upstreams/routing/coordinated/shared-concurrency';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';

const database = await createTestDatabase();
const { sql } = database.db;
const first = await createFakeProvider();
const second = await createFakeProvider();
const { accountId } = await createAccountFixture(database.db);
const { secret } = await createKeyFixture(database.db, accountId, {});

for (const [name, { origin }] of Object.entries({ first, second }))
  await sql`INSERT INTO providers (id, name, dialect, base_url, max_concurrency)
    VALUES (${`prov_${name}`}, ${name}, 'anthropic-messages', ${`${origin}/v1`}, 1)`;

const start = () => startTestApi({ db: database.db, runtime: 'node', attempts: 4, tickMs: 40 });
const alone = await start();
const worker = await start();

/** The messages of the worker to its supervisor, and of another worker. */
const coordinator = new PlaceCoordinator();
const shared = new SharedConcurrency({ send: (calls) => setImmediate(() => connection.receive(calls)) });
const connection = coordinator.connect((replies) => setImmediate(() => shared.receive(replies)));
worker.deps.upstreams.concurrency = shared;
const elsewhere = coordinator.connect(() => undefined);

afterEach(() => {
  first.reset();
  second.reset();
});
afterAll(async () => {
  await alone.close();
  await worker.close();
  for (const each of [first, second, database]) await each[Symbol.asyncDispose]();
});

/** Takes the only place of a provider. */
function holdAlone(provider: string) {
  const place = alone.deps.upstreams.concurrency.tryAcquire(provider, 1, accountId);
  return { [Symbol.dispose]: () => place?.release() };
}

let held = 0;

/** Takes the only place of a provider in another process. */
function holdElsewhere(providerId: string) {
  held += 1;
  const id = held;
  elsewhere.receive([{ id, call: 'take', providerId, max: 1, accountId }]);
  return { [Symbol.dispose]: () => elsewhere.receive([{ id, call: 'release' }]) };
}

let models = 0;

/** Adds a model with two routes, whose breakers and cooldowns no other test changes. */
async function addModel(firstTokenMs: number | null = null): Promise<string> {
  models += 1;
  const id = `model-${models}`;
  await sql`INSERT INTO models (id, first_token_timeout_ms) VALUES (${id}, ${firstTokenMs})`;
  await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
    VALUES (${id}, 1000000000, 2000000000, now() - interval '1 minute')`;
  for (const [priority, name] of ['first', 'second'].entries())
    await sql`INSERT INTO routes (id, model_id, provider_id, priority, upstream_model)
      VALUES (${`route_${id}_${name}`}, ${id}, ${`prov_${name}`}, ${priority}, 'claude-sonnet-4-5')`;
  for (const api of [alone, worker]) await api.deps.catalogue.load();
  return id;
}

describe.each([
  ['one process', alone, holdAlone],
  ['a worker', worker, holdElsewhere],
])('the routes of %s', (_, api, hold) => {
  async function ask(model: string, stream = false) {
    const messages = [{ role: 'user', content: 'Say hello.' }];
    const body = { model, max_tokens: 500, messages, stream };
    const headers = { 'x-tollgate-continue': 'on' };
    const response = await post(`${api.baseUrl}/messages`, body, { secret, headers });
    const text = await response.text();
    // Otherwise it might take a place of the next request.
    await expect.poll(() => api.deps.inFlight.size).toBe(0);
    return { response, text };
  }

  async function listAttempts(response: Response): Promise<string[]> {
    const id = response.headers.get('x-request-id');
    const find = () => sql<{ attempts: { provider: string; outcome: string }[] | null }[]>`
      SELECT attempts FROM requests WHERE id = ${id} AND status IS NOT NULL`;
    await expect.poll(async () => (await find()).length).toBe(1);
    const [record] = await find();
    return (record?.attempts ?? []).map(({ provider, outcome }) => `${provider} ${outcome}`);
  }

  it('are skipped while their provider is full, which is no attempt', async () => {
    const model = await addModel();
    {
      using _held = hold('prov_first');
      const { response } = await ask(model);
      expect([response.status, await listAttempts(response)]).toEqual([200, []]);
      expect([first.requests.length, second.requests.length]).toEqual([0, 1]);
    }
    expect((await ask(model)).response.status).toBe(200);
    expect(first.requests).toHaveLength(1);
  });

  it('refuse a request with a wait while all providers are full', async () => {
    const model = await addModel();
    using _first = hold('prov_first');
    using _second = hold('prov_second');
    const { response, text } = await ask(model);
    expect([response.status, response.headers.get('retry-after')]).toEqual([529, '1']);
    expect(text).toContain('maximum of requests in progress');
  });

  it('are tried again at a provider with one place', async () => {
    const model = await addModel();
    using _second = hold('prov_second');
    first.next({ error: { status: 503 } });
    const { response } = await ask(model);
    expect([response.status, await listAttempts(response)]).toEqual([
      200,
      ['first status_503', 'first answered'],
    ]);
  });

  it('give the error of the provider that was asked if the other one is full', async () => {
    const model = await addModel();
    using _second = hold('prov_second');
    first.always({ cutBeforeHeaders: true });
    const { response, text } = await ask(model);
    expect(response.status).toBe(502);
    expect(text).toContain('interrupted its response');
  });

  it('replace a silent provider by one with a place', async () => {
    const model = await addModel(100);
    first.always({ headersDelayMs: 5_000 });
    const { response } = await ask(model, true);
    expect(await listAttempts(response)).toEqual(['first first_token_timeout', 'second answered']);
  });

  it('keep a silent provider if the other one is full', async () => {
    const model = await addModel(100);
    using _second = hold('prov_second');
    first.always({ headersDelayMs: 1_200 });
    const { response, text } = await ask(model, true);
    expect(text).toContain('message_stop');
    expect(await listAttempts(response)).toEqual([]);
  });

  const CUT: Script = { answer: { words: 20 }, cutAfterPieces: 11 };

  it('continue a stream at its provider if the other one is full', async () => {
    const model = await addModel();
    using _second = hold('prov_second');
    first.next(CUT);
    first.next({ answer: { words: 12 } });
    const { text } = await ask(model, true);
    expect(text).toContain('message_stop');
    expect([first.requests.length, second.requests.length]).toEqual([2, 0]);
  });

  it('continue a stream at another provider', async () => {
    const model = await addModel();
    first.next(CUT);
    second.next({ answer: { words: 12 } });
    const { text } = await ask(model, true);
    expect(text).toContain('message_stop');
    expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
  });

  it('leave no place taken', async () => {
    await expect.poll(() => api.deps.upstreams.concurrency.getCount('prov_first')).toBe(0);
    await expect.poll(() => coordinator.getCount('prov_second')).toBe(0);
  });
});
