import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';

const database = await createTestDatabase();
const { sql } = database.db;
const fake = await createFakeProvider();
const paying = await createAccountFixture(database.db, { planId: 'standard' });
await creditBalance(database.db, { accountId: paying.accountId, amountNanoUsd: 100_000_000_000n });
const internal = await createAccountFixture(database.db);
await sql`INSERT INTO providers (id, name, dialect, base_url) VALUES
  ('prov_chat', 'chat', 'openai-chat', ${`${fake.origin}/v1`}),
  ('prov_claude', 'claude', 'anthropic-messages', ${`${fake.origin}/v1`})`;
const MODELS = [
  ['small', 'prov_chat', 'small-upstream'],
  ['large', 'prov_chat', 'large-upstream'],
  ['unpriced', 'prov_chat', 'unpriced'],
  ['claude', 'prov_claude', null],
  ['opus', 'prov_claude', null],
  // The gateway's `helper` is another model than the provider's `helper`.
  ['helper', 'prov_chat', 'tiny'],
  ['real-helper', 'prov_claude', 'helper'],
  ['foreign', 'prov_claude', null],
] as const;
for (const [model, provider, upstream] of MODELS) {
  await sql`INSERT INTO models (id) VALUES (${model})`;
  await sql`INSERT INTO routes (id, model_id, provider_id, upstream_model) VALUES (${`route_${model}`}, ${model}, ${provider}, ${upstream})`;
  if (model !== 'unpriced')
    await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
      VALUES (${model}, 1000000000, 2000000000, now() - interval '1 minute')`;
}
const { secret: paid } = await createKeyFixture(database.db, paying.accountId);
const { secret: scoped } = await createKeyFixture(database.db, paying.accountId, {
  allowedModels: ['small', 'claude'],
});
const { secret: free } = await createKeyFixture(database.db, internal.accountId, {});
const { secret: freeScoped } = await createKeyFixture(database.db, internal.accountId, {
  allowedModels: ['small'],
});
await sql`INSERT INTO plans (id, allowed_models, is_prepaid) VALUES ('few-models', ${['small']}, false)`;
const limited = await createAccountFixture(database.db, { planId: 'few-models' });
const { secret: planScoped } = await createKeyFixture(database.db, limited.accountId, {});

const api = await startTestApi({
  db: database.db,
  runtime: 'node',
  encryptionKey: randomBytes(32).toString('base64'),
});

const messages = [{ role: 'user', content: 'Say hello.' }];
const chat = (body: object, secret = paid, query = '', headers: Record<string, string> = {}) =>
  post(
    `${api.baseUrl}/chat/completions${query}`,
    { model: 'small', messages, max_tokens: 9, ...body },
    { secret, headers },
  );
const message = (body: object, secret = paid, query = '', headers: Record<string, string> = {}) =>
  post(
    `${api.baseUrl}/messages${query}`,
    { model: 'claude', messages, max_tokens: 9, ...body },
    { secret, headers },
  );
const sent = (): Record<string, unknown> => {
  const [only] = fake.requests;
  return only === undefined ? {} : JSON.parse(only.body.toString());
};

afterEach(() => fake.reset());
afterAll(async () => {
  await api.close();
  await fake.close();
  await database[Symbol.asyncDispose]();
});

describe('a member that no contract knows', () => {
  it('is dropped and listed if the plan charges money', async () => {
    const response = await chat({
      temperature: 0.5,
      brand_new: { a: 1 },
      reasoning: { effort: 'low', newer: 1 },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-tollgate-dropped-params')).toBe('brand_new,reasoning.newer');
    expect(sent()).toMatchObject({ temperature: 0.5, reasoning: { effort: 'low' } });
    expect(sent()).not.toHaveProperty('brand_new');
    expect(sent()).not.toHaveProperty('reasoning.newer');
  });

  it('is dropped from members that the gateway itself changes', async () => {
    const response = await chat({ stream: true, stream_options: { include_obfuscation: false, newer: 1 } });
    await response.text();
    expect(sent()['stream_options']).toEqual({ include_obfuscation: false, include_usage: true });
  });

  it('is forwarded if the plan charges nothing', async () => {
    const response = await chat({ brand_new: { a: 1 } }, free);
    expect(response.status).toBe(200);
    expect(response.headers.get('x-tollgate-dropped-params')).toBeNull();
    expect(sent()).toMatchObject({ brand_new: { a: 1 } });
  });

  it('is dropped from requests that count or embed', async () => {
    const url = `${api.baseUrl}/messages/count_tokens`;
    await post(url, { model: 'claude', messages, brand_new: 1 }, { secret: paid });
    expect(sent()).not.toHaveProperty('brand_new');
    fake.reset();
    await post(`${api.baseUrl}/embeddings`, { model: 'small', input: 'x', brand_new: 1 }, { secret: paid });
    expect(sent()).toMatchObject({ input: 'x' });
    expect(sent()).not.toHaveProperty('brand_new');
  });

  it('is refused as a tool if the plan charges money, and forwarded otherwise', async () => {
    const tools = [{ type: 'brand_new_20300101', name: 'x' }];
    const refused = await message({ tools });
    expect(refused.status).toBe(400);
    expect(await readJson<ErrorBody>(refused)).toMatchObject({
      error: { type: 'invalid_request_error' },
    });
    expect(fake.requests).toHaveLength(0);
    expect((await message({ tools }, free)).status).toBe(200);
    expect(sent()).toMatchObject({ tools });
  });
});

describe('a member that names another model', () => {
  it('is refused if the key may not use that model, on every plan', async () => {
    for (const secret of [scoped, freeScoped]) {
      const response = await chat({ models: ['small-upstream', 'large-upstream'] }, secret);
      expect(response.status).toBe(403);
      expect(await readJson<ErrorBody>(response)).toMatchObject({
        error: { code: 'model_not_allowed', param: 'models.1' },
      });
    }
    const tools = [{ type: 'advisor_20260301', name: 'advisor', model: 'opus' }];
    expect((await message({ tools }, scoped)).status).toBe(403);
    expect((await message({ fallbacks: [{ model: 'opus' }] }, scoped)).status).toBe(403);
    expect(fake.requests).toHaveLength(0);
  });

  it('is refused as an engine, a deployment or an adapter for keys and plans limited to some models', async () => {
    for (const body of [
      { engine: 'large' },
      { deployment_id: 'large' },
      { lora_name: 'gold' },
      { adapter_id: 'gold' },
      { extra_body: { lora_path: '/gold' } },
      { reasoning: { adapter: 'gold' } },
    ])
      for (const secret of [freeScoped, planScoped]) {
        const refused = await chat(body, secret);
        expect(refused.status).toBe(400);
        expect((await readJson<ErrorBody>(refused)).error.code).toBe('unsupported_parameter');
      }
    expect(fake.requests).toHaveLength(0);
    expect((await chat({ engine: 'large' }, free)).status).toBe(200);
    expect(sent()).toMatchObject({ engine: 'large' });
  });

  it('is refused in a tool that the caller runs, on every plan', async () => {
    const named = { type: 'function', model: 'large-upstream', function: { name: 'f' } };
    for (const secret of [paid, free]) {
      expect((await chat({ tools: [named] }, secret)).status).toBe(400);
      const advisor = { name: 'advisor', model: 'opus', input_schema: { type: 'object' } };
      expect((await message({ tools: [advisor] }, secret)).status).toBe(400);
    }
    expect(fake.requests).toHaveLength(0);
    const schema = { type: 'object', properties: { model: { type: 'string' } } };
    const tools = [{ type: 'function', function: { name: 'f', parameters: schema } }];
    expect((await chat({ tools })).status).toBe(200);
  });

  it('is refused with the name to use, if it is the gateway’s own', async () => {
    const { error } = await readJson<ErrorBody>(await chat({ models: ['small'] }));
    expect(error).toMatchObject({ code: 'model_not_allowed', param: 'models.0' });
    expect(error.message).toMatch(/^models\.0 must be the provider's name of a model /);
    expect(error.message).toContain('use "small-upstream"');
    const large = await readJson<ErrorBody>(await chat({ models: ['large'] }, scoped));
    expect(large.error.message).not.toContain('large-upstream');
  });

  it('is refused if the model has no price, or does not belong to the provider', async () => {
    expect((await chat({ models: ['unpriced'] })).status).toBe(403);
    // The gateway's own name may be another model at the provider.
    expect((await chat({ models: ['large'] })).status).toBe(403);
    expect((await chat({ models: ['elsewhere'] }, free)).status).toBe(403);
    expect(fake.requests).toHaveLength(0);
  });

  it('is forwarded if it is valid', async () => {
    expect((await chat({ models: ['large-upstream'] })).status).toBe(200);
    expect(sent()).toMatchObject({ model: 'small-upstream', models: ['large-upstream'] });
  });

  it('is billed as the model that was checked and held', async () => {
    await sql`UPDATE model_prices SET input_nano_usd_per_mtok = 10000000000, output_nano_usd_per_mtok = 50000000000
      WHERE model_id = 'real-helper'`;
    await api.deps.catalogue.load();
    const advisor = { type: 'advisor_message', model: 'helper', input_tokens: 1_000, output_tokens: 1_000 };
    const usage = { input_tokens: 10, output_tokens: 5, iterations: [{ type: 'message' }, advisor] };
    const content = [{ type: 'text', text: 'Hello.' }];
    const answer = { type: 'message', role: 'assistant', model: 'claude', content, usage };
    fake.next({ replay: { body: JSON.stringify(answer) } });
    const tools = [{ type: 'advisor_20260301', name: 'advisor', model: 'helper', max_uses: 1 }];
    const response = await message({ tools });
    expect(response.status).toBe(200);
    await api.deps.ledger.flush();
    const [row] = await sql<{ cost: bigint; held: bigint; mismatch: string | null }[]>`
      SELECT cost_nano_usd AS cost, held_nano_usd AS held, price_mismatch AS mismatch FROM requests
      WHERE id = ${response.headers.get('x-request-id')}`;
    expect(row).toMatchObject({ cost: 20_000n + 60_000_000n, mismatch: null });
    expect(row?.held).toBeGreaterThan(60_000_000n);
  });

  it('is refused if it cannot be read', async () => {
    for (const body of [
      { preset: 'p' },
      { provider: { order: ['a'] } },
      { route: 'fallback' },
      { deferred: true },
    ]) {
      const response = await chat(body, free);
      expect(response.status).toBe(400);
      const [param] = Object.keys(body);
      expect(await readJson<ErrorBody>(response)).toMatchObject({
        error: { code: 'unsupported_parameter', param },
      });
    }
    expect(fake.requests).toHaveLength(0);
  });
});

describe('terms that are left to the provider', () => {
  it('are set here if money is charged', async () => {
    expect((await chat({ service_tier: 'auto' })).status).toBe(200);
    expect(sent()['service_tier']).toBe('default');
    fake.reset();
    expect((await message({ service_tier: 'auto' })).status).toBe(200);
    expect(sent()['service_tier']).toBe('standard_only');
    fake.reset();
    await chat({ service_tier: 'auto' }, free);
    expect(sent()['service_tier']).toBe('auto');
  });

  it('drop store, which would store the completion at the provider', async () => {
    const response = await chat({ store: true, metadata: { a: 'b' } });
    expect(response.headers.get('x-tollgate-dropped-params')).toBe('store,metadata');
    expect(sent()).not.toHaveProperty('store');
  });
});

describe('a translated request', () => {
  it('is checked against the contract of its provider', async () => {
    const response = await chat({ model: 'foreign', models: ['x'], brand_new: 1, service_tier: 'auto' });
    expect(response.status).toBe(200);
    expect(sent()).not.toHaveProperty('models');
    expect(sent()).not.toHaveProperty('brand_new');
    expect(sent()['service_tier'] ?? 'standard_only').toBe('standard_only');
  });
});

describe('outside the body, the gateway', () => {
  it('drops the query string except for what the contract names', async () => {
    await message({}, paid, '?beta=true&model=opus&x=1');
    await message({}, free, '?model=opus');
    await chat({}, paid, '?model=large&api-version=2025-01-01');
    expect(fake.requests.map(({ path, query }) => path + query)).toEqual([
      '/v1/messages?beta=true',
      '/v1/messages',
      '/v1/chat/completions?api-version=2025-01-01',
    ]);
  });

  it('forwards the beta features that it knows', async () => {
    const given = 'claude-code-20250219, context-1m-2025-08-07,brand-new-2030-01-01';
    const response = await message({}, paid, '', { 'anthropic-beta': given });
    expect(fake.requests[0]?.headers['anthropic-beta']).toBe('claude-code-20250219');
    expect(response.headers.get('x-tollgate-dropped-params')).toBe(
      'beta.context-1m-2025-08-07,beta.brand-new-2030-01-01',
    );
    fake.reset();
    await message({}, free, '', { 'anthropic-beta': given });
    expect(fake.requests[0]?.headers['anthropic-beta']).toBe(given);
  });
});
