/** OpenAI's search models search before every response, and each search is billed, whether the response cites it or not. */
import { toRates } from '@tollgate/core/money/rates/rate-lines';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { putModel } from '@tollgate/db/queries/models/models';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, PRICES, type Harness } from '../gateway-fixture.ts';

const SEARCH_MODEL = 'gpt-4o-search-preview';
/** $0.03 per search. */
const SEARCH_NANO_USD = 30_000_000n;
const messages = [{ role: 'user', content: 'Weather? No links.' }];
const CITATION = { type: 'url_citation', url_citation: { url: 'https://a.example', title: 'a' } };
const USAGE = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
const TOKENS_NANO_USD = 20n * 1_000n + 5n * 5_000n;

let harness: Harness;
let api: TestApi;
let secret: string;
beforeAll(async () => {
  harness = await createHarness([MODEL, SEARCH_MODEL, 'unrated-search']);
  const { db } = harness.database;
  const prices = { ...PRICES, rates: toRates([{ rate: 'tool_calls:web_search', value: '30' }]) };
  for (const id of [MODEL, SEARCH_MODEL]) await putModel(db, { id, facts: {}, prices, now: new Date() });
  await putModel(db, {
    id: 'unrated-search',
    facts: {},
    prices: { ...PRICES, rates: null },
    now: new Date(),
  });
  await db.sql`UPDATE routes SET upstream_model = 'gpt-4o-mini-search-preview' WHERE model_id = 'unrated-search'`;
  ({ secret } = await harness.createKey({ maxBudgetUsd: '100.00' }));
  api = await startTestApi({ db, runtime: 'node', attempts: 1, drainAfterDisconnectMs: 0 });
});
beforeEach(() => harness.provider.reset());
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

function answer({
  model,
  usage,
  annotations = [],
}: {
  model: string;
  usage: object;
  annotations?: object[];
}) {
  const message = { role: 'assistant', content: 'It rains.', annotations };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const body = JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model, choices, usage });
  harness.provider.next({ replay: { body, contentType: 'application/json' } });
}

async function getRow(requestId: string | null) {
  await api.deps.ledger.flush();
  const [row] = await harness.database.db.sql<
    { cost: bigint; held: bigint; unbilled: bigint; extras: unknown }[]
  >`
    SELECT cost_nano_usd AS cost, held_nano_usd AS held, operator_cost_nano_usd AS unbilled, usage_extras AS extras
    FROM requests WHERE id = ${requestId}`;
  return row;
}

const ask = (model: string, more: object, path = '/chat/completions') =>
  post(`${api.baseUrl}${path}`, { model, max_tokens: 50, messages, ...more }, { secret });

it.each([
  { model: SEARCH_MODEL, more: {}, annotations: [] },
  { model: SEARCH_MODEL, more: { web_search_options: {} }, annotations: [CITATION] },
  { model: MODEL, more: { web_search_options: {} }, annotations: [] },
])('bills one search: $model, $more, $annotations', async ({ model, more, annotations }) => {
  answer({ model, usage: USAGE, annotations });
  const response = await ask(model, more);
  expect(response.status).toBe(200);
  expect(response.headers.get('x-tollgate-cost')).toBe('0.030045');
  const row = await getRow(response.headers.get('x-request-id'));
  expect(row).toMatchObject({
    cost: TOKENS_NANO_USD + SEARCH_NANO_USD,
    extras: { toolCalls: { web_search: 1 } },
  });
  expect(row?.held).toBeGreaterThanOrEqual(row?.cost ?? 0n);
});

it('bills one search of a stream, also through another API format', async () => {
  for (const [path, more] of [
    ['/chat/completions', { web_search_options: {} }],
    ['/responses', { input: 'Weather?', messages: undefined, max_tokens: undefined, max_output_tokens: 50 }],
  ] as const) {
    harness.provider.next({ answer: { words: 5, usage: null } });
    const response = await ask(SEARCH_MODEL, { stream: true, ...more }, path);
    expect(response.status).toBe(200);
    await response.text();
    expect(await getRow(response.headers.get('x-request-id'))).toMatchObject({
      extras: { toolCalls: { web_search: 1 } },
    });
  }
});

it('bills what the usage counts, also if that is no search', async () => {
  for (const searches of [0, 3]) {
    answer({ model: MODEL, usage: { ...USAGE, server_tool_use: { web_search_requests: searches } } });
    const response = await ask(MODEL, { web_search_options: {} });
    const row = await getRow(response.headers.get('x-request-id'));
    expect(row?.cost).toBe(TOKENS_NANO_USD + BigInt(searches) * SEARCH_NANO_USD);
  }
});

it('bills no search of other models', async () => {
  answer({ model: MODEL, usage: USAGE });
  const response = await ask(MODEL, {});
  expect((await getRow(response.headers.get('x-request-id')))?.cost).toBe(TOKENS_NANO_USD);
});

it('records the search of an unusable response as unbilled, and bills none', async () => {
  harness.provider.next({ replay: { body: '{"cut', contentType: 'application/json' } });
  const response = await ask(SEARCH_MODEL, {});
  expect(response.status).toBe(502);
  const row = await getRow(response.headers.get('x-request-id'));
  expect(row?.cost).toBe(0n);
  expect(row?.unbilled).toBeGreaterThan(SEARCH_NANO_USD);
});

it('refuses a search model without a rate for searches, before it is sent', async () => {
  const response = await ask('unrated-search', {});
  expect(response.status).toBe(400);
  expect((await readJson<ErrorBody>(response)).error).toMatchObject({
    code: 'unsupported_parameter',
    param: 'model',
    message: expect.stringContaining('no rate for tool_calls web_search'),
  });
  expect(harness.provider.requests).toEqual([]);
});

it('keeps the ledger verifiable', async () => {
  expect((await verifyLedger(harness.database.db, { recompute: null })).findings).toEqual([]);
});
