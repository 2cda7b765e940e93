import { randomBytes } from 'node:crypto';
import { toRates } from '@tollgate/core/money/rates/rate-lines';
import { listUnknownMembers } from '@tollgate/db/queries/contracts/unknown-members';
import { putModel } from '@tollgate/db/queries/models/models';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { PRICES } from '../gateway-fixture.ts';

const database = await createTestDatabase();
const { sql } = database.db;
const fake = await createFakeProvider();
const internal = await createAccountFixture(database.db);
const paying = await createAccountFixture(database.db, { planId: 'standard' });
await creditBalance(database.db, { accountId: paying.accountId, amountNanoUsd: 100_000_000_000n });
await sql`INSERT INTO providers (id, name, dialect, base_url) VALUES
  ('prov_claude', 'claude', 'anthropic-messages', ${`${fake.origin}/v1`}),
  ('prov_openai', 'openai', 'openai-responses', ${`${fake.origin}/v1`})`;
const rates = toRates([{ rate: 'tool_calls:web_search', value: '10' }]);
for (const [id, provider, itsRates] of [
  ['claude', 'prov_claude', null],
  ['gpt', 'prov_openai', null],
  ['gpt-rated', 'prov_openai', rates],
] as const) {
  const facts = { maxOutputTokens: 1000 };
  await putModel(database.db, { id, facts, prices: { ...PRICES, rates: itsRates }, now: new Date() });
  await sql`INSERT INTO routes (id, model_id, provider_id) VALUES (${`route_${id}`}, ${id}, ${provider})`;
}
const { secret: free } = await createKeyFixture(database.db, internal.accountId);
const { secret: capped } = await createKeyFixture(database.db, internal.accountId, {
  maxBudgetUsd: '1',
});
await sql`INSERT INTO plans (id, price_ppm) VALUES ('gift', 0)`;
const gifted = await createAccountFixture(database.db, { planId: 'gift' });
const { secret: cappedGift } = await createKeyFixture(database.db, gifted.accountId, { maxBudgetUsd: '1' });
const { secret: paid } = await createKeyFixture(database.db, paying.accountId);
const api = await startTestApi({
  db: database.db,
  runtime: 'node',
  encryptionKey: randomBytes(32).toString('base64'),
});
afterEach(() => fake.reset());
afterAll(async () => {
  await api.close();
  await fake.close();
  await database[Symbol.asyncDispose]();
});

const SEARCH = { type: 'web_search_20250305', name: 'web_search' };
const messages = [{ role: 'user', content: 'Say hello.' }];
const message = (body: object, secret: string, headers: Record<string, string> = {}) =>
  post(`${api.baseUrl}/messages`, { model: 'claude', messages, max_tokens: 9, ...body }, { secret, headers });
const respond = (body: object, secret: string) =>
  post(`${api.baseUrl}/responses`, { model: 'gpt', input: 'Hello', ...body }, { secret });

/** 10 tokens in, 10 out. */
const answerMessage = (usage: object) =>
  fake.always({
    replay: {
      body: JSON.stringify({
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [{ type: 'text', text: 'Hello' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 10, output_tokens: 10, ...usage },
      }),
    },
  });
const answerResponse = (model = 'gpt') =>
  fake.always({
    replay: {
      body: JSON.stringify({
        id: 'resp_1',
        object: 'response',
        status: 'completed',
        model,
        output: [
          {
            type: 'web_search_call',
            id: 'ws_1',
            status: 'completed',
            action: { type: 'search', query: 'x' },
          },
          {
            type: 'web_search_call',
            id: 'ws_2',
            status: 'completed',
            action: { type: 'open_page', url: 'x' },
          },
          { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] },
        ],
        usage: { input_tokens: 10, output_tokens: 10, total_tokens: 20 },
      }),
    },
  });
const sent = (): Record<string, unknown> =>
  JSON.parse(fake.requests[0]?.body.toString() ?? '{}') as Record<string, unknown>;

async function getRecord(response: Response) {
  expect(response.status).toBe(200);
  await response.text();
  await api.deps.ledger.flush();
  const [row] = await sql<{ cost: bigint; mismatch: string | null }[]>`
    SELECT cost_nano_usd AS cost, price_mismatch AS mismatch FROM requests
    WHERE id = ${response.headers.get('x-request-id')}`;
  return row;
}

/** 10 input tokens and 10 output tokens. */
const PLAIN_COST = 10_000n + 50_000n;

describe('if neither a balance nor a budget limits what a key spends', () => {
  it('a request that needs a missing rate is answered, and its cost is marked as incomplete', async () => {
    answerMessage({ server_tool_use: { web_search_requests: 2 } });
    expect(await getRecord(await message({ tools: [SEARCH] }, free))).toEqual({
      cost: PLAIN_COST,
      mismatch: 'tool_calls web_search',
    });
    expect(sent()).toMatchObject({ tools: [SEARCH] });
  });

  it('a request with an unrated tier, speed or region is marked too', async () => {
    answerMessage({ service_tier: 'flex', speed: 'fast', inference_geo: 'us' });
    const terms = { service_tier: 'flex', speed: 'fast', inference_geo: 'us' };
    const record = await getRecord(await message(terms, free));
    expect(record?.cost).toBe(PLAIN_COST);
    expect(record?.mismatch).toContain('service_tier flex');
  });

  it('a response without terms is marked too', async () => {
    answerMessage({});
    expect((await getRecord(await message({ speed: 'fast' }, free)))?.mismatch).toContain('speed fast');
  });

  it('nothing else is marked', async () => {
    answerMessage({});
    expect(await getRecord(await message({}, free))).toEqual({ cost: PLAIN_COST, mismatch: null });
  });
});

it('a missing rate is refused if a budget limits what the key spends', async () => {
  const response = await message({ tools: [SEARCH] }, capped);
  expect(response.status).toBe(400);
  expect((await readJson<ErrorBody>(response)).error.message).toContain('no rate for tool_calls web_search');
  expect(fake.requests).toEqual([]);
});

it('a missing rate refuses nothing on a plan that multiplies every price by zero, despite a budget', async () => {
  answerMessage({ server_tool_use: { web_search_requests: 2 } });
  const record = await getRecord(await message({ tools: [SEARCH] }, cappedGift));
  expect(record).toEqual({ cost: 0n, mismatch: 'tool_calls web_search' });
});

describe('tools that items of a conversation declare', () => {
  const input = [
    { role: 'user', content: 'Hello' },
    { type: 'additional_tools', tools: [{ type: 'web_search' }] },
  ];

  it('need their rate', async () => {
    const response = await respond({ input }, paid);
    expect(response.status).toBe(400);
    expect((await readJson<ErrorBody>(response)).error.message).toContain(
      'no rate for tool_calls web_search',
    );
    expect(fake.requests).toEqual([]);
  });

  it('are limited, and only searches are billed', async () => {
    answerResponse('gpt-rated');
    const record = await getRecord(await respond({ model: 'gpt-rated', input }, paid));
    expect(sent()).toMatchObject({ max_tool_calls: 10, input });
    expect(record).toEqual({ cost: PLAIN_COST + 10_000_000n, mismatch: null });
  });
});

describe('ids of objects stored at the provider', () => {
  const content = [{ type: 'input_file', file_id: 'file_of_another_account' }];

  it('are refused if the plan charges money', async () => {
    const response = await respond({ input: [{ role: 'user', content }] }, paid);
    expect(response.status).toBe(400);
    expect((await readJson<ErrorBody>(response)).error).toMatchObject({
      code: 'unsupported_parameter',
      param: 'input.0.content.0.file_id',
    });
    expect(fake.requests).toEqual([]);
  });

  const ID = 'file_of_another_account';
  it.each<[string, string, (content: object[]) => object]>([
    ['/responses', 'claude', (parts) => ({ input: [{ role: 'user', content: [...parts, ...content] }] })],
    [
      '/responses',
      'claude',
      (parts) => ({ input: [{ role: 'user', content: [...parts, { type: 'input_image', file_id: ID }] }] }),
    ],
    [
      '/chat/completions',
      'claude',
      (parts) => ({
        messages: [{ role: 'user', content: [...parts, { type: 'file', file: { file_id: ID } }] }],
      }),
    ],
    [
      '/messages',
      'gpt',
      (parts) => ({
        max_tokens: 9,
        messages: [
          { role: 'user', content: [...parts, { type: 'document', source: { type: 'file', file_id: ID } }] },
        ],
      }),
    ],
  ])(
    'are refused in %s for %s, which is translated, whether the body is small or large (%#)',
    async (path, model, body) => {
      for (const text of ['Read this.', 'Read this. '.repeat(20_000)]) {
        const type = path === '/responses' ? 'input_text' : 'text';
        const response = await post(
          api.baseUrl + path,
          { model, ...body([{ type, text }]) },
          { secret: paid },
        );
        expect(response.status).toBe(400);
        expect(fake.requests).toEqual([]);
      }
    },
  );

  it('are forwarded if the plan charges nothing', async () => {
    answerResponse();
    expect((await respond({ input: [{ role: 'user', content }] }, free)).status).toBe(200);
    expect(sent()).toMatchObject({ input: [{ role: 'user', content }] });
  });

  it('are forwarded once the operator allows them', async () => {
    await sql`UPDATE providers SET allowed_members = ${['stored.file']} WHERE id = 'prov_openai'`;
    answerResponse();
    await expect
      .poll(async () => (await respond({ input: [{ role: 'user', content }] }, paid)).status)
      .toBe(200);
  });
});

it('lists unknown beta features among the members that no contract knows', async () => {
  answerMessage({});
  const headers = { 'anthropic-beta': 'claude-code-20250219,brand-new-2030-01-01' };
  await message({}, paid, headers);
  await message({}, free, headers);
  await api.deps.unknownMembers.flush();
  const listed = await listUnknownMembers(database.db, 'claude');
  expect(listed.map(({ member, requests }) => [member, requests])).toEqual([
    ['beta.brand-new-2030-01-01', 2],
  ]);
});
