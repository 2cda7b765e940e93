/** A model with several routes, one of which would run a tool whose rate is not set. */
import { toRates } from '@tollgate/core/money/rates/rate-lines';
import { putModel } from '@tollgate/db/queries/models/models';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { PRICES } from '../gateway-fixture.ts';

const CHAT = '/v1/chat/completions';
const RESPONSES = '/v1/responses';
const database = await createTestDatabase();
const { sql } = database.db;
const fake = await createFakeProvider();
const paying = await createAccountFixture(database.db, { planId: 'standard' });
await creditBalance(database.db, { accountId: paying.accountId, amountNanoUsd: 100_000_000_000n });
await sql`INSERT INTO providers (id, name, dialect, base_url, preset) VALUES
  ('prov_chat', 'chat', 'openai-chat', ${`${fake.origin}/v1`}, NULL),
  ('prov_openai', 'openai', 'openai-chat', ${`${fake.origin}/v1`}, 'openai')`;
const rates = toRates([{ rate: 'tool_calls:web_search', value: '10' }]);
for (const [id, providers, itsRates] of [
  ['chat-first', ['prov_chat', 'prov_openai'], null],
  ['openai-first', ['prov_openai', 'prov_chat'], null],
  ['openai-only', ['prov_openai'], null],
  ['rated', ['prov_openai', 'prov_chat'], rates],
] as const) {
  const facts = { maxOutputTokens: 1000 };
  await putModel(database.db, { id, facts, prices: { ...PRICES, rates: itsRates }, now: new Date() });
  for (const [priority, provider] of providers.entries())
    await sql`INSERT INTO routes (id, model_id, provider_id, priority)
      VALUES (${`${id} ${provider}`}, ${id}, ${provider}, ${priority})`;
}
const { secret } = await createKeyFixture(database.db, paying.accountId);
const api = await startTestApi({ db: database.db, runtime: 'node', attempts: 3 });
beforeEach(() => fake.reset());
afterAll(async () => {
  await api.close();
  await fake.close();
  await database[Symbol.asyncDispose]();
});

const SEARCH = { type: 'web_search', external_web_access: true };
const SHELL = { type: 'function', name: 'shell', parameters: { type: 'object' } };
const ask = (model: string, more: object) =>
  post(`${api.baseUrl}/responses`, { model, input: 'Hello', tools: [SHELL, SEARCH], ...more }, { secret });
const getError = async (response: Response) => (await readJson<ErrorBody>(response)).error;
const getPaths = () => fake.requests.map(({ path }) => path);

describe.each(['chat-first', 'openai-first'])('the model %s', (model) => {
  it.each([
    ['short', 'Hello'],
    ['large', 'Hello '.repeat(40_000)],
  ])('answers a %s request on the route whose translation drops the tool', async (_, input) => {
    const response = await ask(model, { input });
    expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
    expect(response.headers.get('x-tollgate-dropped-params')).toContain('tools.web_search');
    expect(getPaths()).toEqual([CHAT]);
    expect(fake.requests[0]?.body.toString()).not.toContain('web_search');
  });

  it('never falls back to the route without the rate', async () => {
    fake.always({ error: { status: 500 } });
    expect((await ask(model, {})).status).toBeGreaterThanOrEqual(500);
    expect(new Set(getPaths())).toEqual(new Set([CHAT]));
  });

  it.each([
    ['forces the tool', { tool_choice: { type: 'web_search' } }],
    ['requires a tool and has no other', { tools: [SEARCH], tool_choice: 'required' }],
  ])('refuses a request that %s, and names the missing rate', async (_, more) => {
    const response = await ask(model, more);
    expect(response.status).toBe(400);
    expect((await getError(response)).message).toContain('no rate for tool_calls web_search');
    expect(fake.requests).toEqual([]);
  });

  it('refuses a request that lacks the rate of its tier too', async () => {
    const response = await ask(model, { service_tier: 'flex' });
    expect(response.status).toBe(400);
    expect((await getError(response)).message).toContain('no rate for');
    expect(fake.requests).toEqual([]);
  });

  it('refuses a tool that the contract of the other route does not know', async () => {
    const response = await ask(model, { tools: [SHELL, SEARCH, { type: 'brand_new' }] });
    expect(response.status).toBe(400);
    expect(fake.requests).toEqual([]);
  });
});

it('names the missing rate if no other route is left', async () => {
  const response = await ask('openai-only', {});
  expect(response.status).toBe(400);
  const error = await getError(response);
  expect(error).toMatchObject({ code: 'unsupported_parameter', param: 'tools' });
  expect(error.message).toContain('--rate tool_calls:web_search=');
  expect(fake.requests).toEqual([]);
});

it('sends the tool to the route that runs it once its rate is set', async () => {
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] }];
  const answer = { id: 'r', object: 'response', status: 'completed', model: 'rated', output, usage };
  fake.next({ replay: { body: JSON.stringify(answer), contentType: 'application/json' } });
  expect((await ask('rated', {})).status).toBe(200);
  expect(getPaths()).toEqual([RESPONSES]);
  expect(fake.requests[0]?.body.toString()).toContain('web_search');
});
