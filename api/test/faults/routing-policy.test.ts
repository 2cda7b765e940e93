import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import type { Script } from '@tollgate/testing/fake-provider/script';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';

const database = await createTestDatabase();
const { sql } = database.db;
const first = await createFakeProvider();
const second = await createFakeProvider();
const { accountId } = await createAccountFixture(database.db);
const { secret } = await createKeyFixture(database.db, accountId, {});
const messages = [{ role: 'user', content: 'Say hello.' }];

for (const [name, { origin }] of Object.entries({ first, second }))
  await sql`INSERT INTO providers (id, name, dialect, base_url)
    VALUES (${`prov_${name}`}, ${name}, 'openai-chat', ${`${origin}/v1`})`;

interface Policy {
  firstTokenMs?: number;
  retryBudgetMs?: number;
  contentPolicy?: boolean;
  /** Of the first route, the second route and the model. */
  contexts?: readonly [number | null, number | null, number | null];
  isAlone?: boolean;
}

let models = 0;

/** Adds a model for one test, whose breakers and cooldowns no other test changes. */
async function addModel(policy: Policy = {}): Promise<string> {
  models += 1;
  const id = `model-${models}`;
  const { firstTokenMs = null, retryBudgetMs = null, contentPolicy = false } = policy;
  const [firstContext, secondContext, context] = policy.contexts ?? [null, null, null];
  await sql`INSERT INTO models (id, first_token_timeout_ms, retry_budget_ms, content_policy_failover, context_tokens)
    VALUES (${id}, ${firstTokenMs}, ${retryBudgetMs}, ${contentPolicy}, ${context})`;
  await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
    VALUES (${id}, 1000000000, 2000000000, now() - interval '1 minute')`;
  await sql`INSERT INTO routes (id, model_id, provider_id, priority, context_tokens)
    VALUES (${`route_${id}_a`}, ${id}, 'prov_first', 0, ${firstContext})`;
  if (policy.isAlone !== true)
    await sql`INSERT INTO routes (id, model_id, provider_id, priority, context_tokens)
      VALUES (${`route_${id}_b`}, ${id}, 'prov_second', 1, ${secondContext})`;
  await api.deps.catalogue.load();
  return id;
}

const api = await startTestApi({
  db: database.db,
  runtime: 'node',
  attempts: 4,
  timeouts: { idleMs: 3_000 },
});

afterEach(() => {
  first.reset();
  second.reset();
});
afterAll(async () => {
  await api.close();
  for (const each of [first, second, database]) await each[Symbol.asyncDispose]();
});

const ask = (model: string, stream = false) =>
  post(`${api.baseUrl}/chat/completions`, { model, messages, stream }, { secret });

async function findRecord(response: Response) {
  const id = response.headers.get('x-request-id');
  const find = () => sql<{ attempts: { provider: string; outcome: string }[] | null; unbilled: string }[]>`
    SELECT attempts, operator_cost_nano_usd::text AS unbilled FROM requests
    WHERE id = ${id} AND status IS NOT NULL`;
  await expect.poll(async () => (await find()).length).toBe(1);
  return (await find())[0];
}

async function listAttempts(response: Response): Promise<string[]> {
  const { attempts } = (await findRecord(response)) ?? {};
  return (attempts ?? []).map(({ provider, outcome }) => `${provider} ${outcome}`);
}

const isASecond = (ms: number) => ms > 950 && ms < 3_000;

describe('a single error of a provider', () => {
  it.each<[string, Script, string]>([
    ['a 500', { error: { status: 500 } }, 'status_500'],
    ['a 429 with a short wait', { error: { status: 429, retryAfterSeconds: 1 } }, 'status_429'],
  ])('is retried at the same provider: %s', async (_, script, outcome) => {
    const model = await addModel();
    first.next(script);
    const response = await ask(model);
    expect(response.status).toBe(200);
    expect(await listAttempts(response)).toEqual([`first ${outcome}`, 'first answered']);
  });

  it('waits as long as the provider requests', async () => {
    const model = await addModel();
    first.next({ error: { status: 429, retryAfterSeconds: 1 } });
    const response = await ask(model);
    expect((await findRecord(response))?.attempts).toMatchObject([
      {},
      { waitMs: expect.toSatisfy(isASecond) },
    ]);
    const [one, two] = first.requests.map(({ receivedAtMs }) => receivedAtMs);
    expect((two ?? 0) - (one ?? 0)).toBeGreaterThan(950);
  });

  it.each<[string, Script, Policy]>([
    ['the wait does not fit the budget', { error: { status: 429, retryAfterSeconds: 3 } }, {}],
    ['the budget is lower', { error: { status: 429, retryAfterSeconds: 1 } }, { retryBudgetMs: 500 }],
    ['the budget is 0', { error: { status: 500 } }, { retryBudgetMs: 0 }],
    ['a 429 names no wait', { error: { status: 429 } }, {}],
    ['it is a 503', { error: { status: 503 } }, {}],
  ])('leads to the next route immediately if %s', async (_, script, policy) => {
    const model = await addModel(policy);
    first.next(script);
    const startMs = performance.now();
    expect((await ask(model)).status).toBe(200);
    expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
    expect(performance.now() - startMs).toBeLessThan(900);
  });

  it('is retried once: the next one leads to the next route', async () => {
    const model = await addModel();
    first.always({ error: { status: 500 } });
    const response = await ask(model);
    expect(await listAttempts(response)).toEqual(['first status_500', 'first status_500', 'second answered']);
  });

  it('is not single while the route fails for other requests', async () => {
    const model = await addModel();
    first.always({ error: { status: 500 } });
    await ask(model);
    expect(await listAttempts(await ask(model))).toEqual(['first status_500', 'second answered']);
  });
});

describe('the time to the first token', () => {
  it.each<[string, Script]>([
    ['sends its headers and nothing else', { firstByteDelayMs: 2_500 }],
    ['sends nothing', { headersDelayMs: 2_500 }],
    ['sends a chunk without content', { stallAfterPieces: 1, stallMs: 2_500 }],
  ])('leads to the next route if a provider %s', async (_, script) => {
    const model = await addModel({ firstTokenMs: 200 });
    first.always(script);
    const startMs = performance.now();
    const response = await ask(model, true);
    expect(await response.text()).toContain('[DONE]');
    expect(performance.now() - startMs).toBeLessThan(2_000);
    expect(await listAttempts(response)).toEqual(['first first_token_timeout', 'second answered']);
    await expect.poll(() => first.requests[0]?.outcome).toBe('aborted');
    // The provider may have read the input.
    expect(Number((await findRecord(response))?.unbilled)).toBeGreaterThan(0);
  });

  it('is not limited while no other route can be tried', async () => {
    const model = await addModel({ firstTokenMs: 100, isAlone: true });
    first.next({ firstByteDelayMs: 900 });
    const response = await ask(model, true);
    expect(await response.text()).toContain('[DONE]');
    expect(first.requests).toHaveLength(1);
  });

  it('does not limit the time between later tokens, or a response that is not a stream', async () => {
    const model = await addModel({ firstTokenMs: 1_000 });
    first.next({ answer: { words: 4 }, intervalMs: 500 });
    first.next({ headersDelayMs: 1_500 });
    expect(await (await ask(model, true)).text()).toContain('word4');
    expect((await ask(model)).status).toBe(200);
    expect(second.requests).toHaveLength(0);
  });
});

describe('a refusal of the content or of its size', () => {
  const refuse = (code: string): Script => ({
    replay: {
      status: 400,
      body: JSON.stringify({ error: { message: 'No.', type: 'invalid_request_error', code } }),
    },
  });

  it.each<[string, Policy, boolean]>([
    ['the second route takes more', { contexts: [null, 200_000, 100_000] }, true],
    ['the first route takes less than the model', { contexts: [8_000, null, 100_000] }, true],
    ['only the second window is known', { contexts: [null, 200_000, null] }, true],
    ['no window is known', {}, false],
    ['the second route takes less', { contexts: [null, 50_000, 100_000] }, false],
  ])('of an input that is too long: %s', async (_, policy, isPassed) => {
    const model = await addModel(policy);
    first.always(refuse('context_length_exceeded'));
    const response = await ask(model);
    expect([response.status, second.requests.length]).toEqual(isPassed ? [200, 1] : [400, 0]);
    expect(first.requests).toHaveLength(1);
    if (isPassed) expect(await listAttempts(response)).toEqual(['first context_length', 'second answered']);
    else expect(await response.text()).toContain('context_length_exceeded');
  });

  it('gives the error of the last route if that refuses the input too', async () => {
    const model = await addModel({ contexts: [8_000, 16_000, null] });
    for (const provider of [first, second]) provider.always(refuse('context_length_exceeded'));
    const response = await ask(model);
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('context_length_exceeded'),
    ]);
  });

  it.each([true, false])(
    'by a content policy leads to the next route if the model allows it: %s',
    async (isAllowed) => {
      const model = await addModel({ contentPolicy: isAllowed });
      first.always(refuse('content_policy_violation'));
      const response = await ask(model, true);
      expect(response.status).toBe(isAllowed ? 200 : 400);
      expect([first.requests.length, second.requests.length]).toEqual([1, isAllowed ? 1 : 0]);
      const text = await response.text();
      expect(text).toContain(isAllowed ? '[DONE]' : 'content_policy_violation');
    },
  );
});
