/** Tools that the provider runs make the model read its input again and again; the usage reports all of it. */
import { NO_USAGE } from '@tollgate/core/money/money';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { putModel } from '@tollgate/db/queries/models/models';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, PRICES, type Harness } from '../gateway-fixture.ts';

const USD = 1_000_000_000n;
const CONTEXT_TOKENS = 200_000;
const MCP = {
  mcp_servers: [{ type: 'url', url: 'https://mcp.example/sse', name: 'x' }],
  tools: [{ type: 'mcp_toolset', mcp_server_name: 'x' }],
};
const search = (uses: number) => ({
  tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: uses }],
});
const RESPONSES_MODEL = 'responses-model';
const MCP_TOOL = { type: 'mcp', server_label: 'x', server_url: 'https://mcp.example/sse' };
const USER_ITEM = { type: 'message', role: 'user', content: 'x' };
const ANSWER = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] };
/** At a dollar per million. */
const contexts = (count: number) => BigInt(count * CONTEXT_TOKENS) * 1_000n;

let harness: Harness;
let api: TestApi;
beforeAll(async () => {
  harness = await createHarness();
  const facts = { contextTokens: CONTEXT_TOKENS, maxOutputTokens: 8_000 };
  await ensureBuiltIn(harness.database.db, {
    name: 'fake-openai-responses',
    dialect: 'openai-responses',
    baseUrl: `${harness.provider.origin}/v1`,
    credentialEnv: null,
    preset: null,
    models: [{ id: RESPONSES_MODEL, upstreamModel: null, facts, prices: PRICES }],
  });
  for (const id of [MODEL, RESPONSES_MODEL])
    await putModel(harness.database.db, { id, facts, prices: PRICES, now: new Date() });
  api = await startTestApi({ db: harness.database.db, runtime: 'node' });
});
beforeEach(() => harness.provider.reset());
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

/** Sends a request whose response reports the given input. @param balance of a new account */
async function bill(more: object, inputTokens: number, balance: bigint) {
  harness.provider.next({ answer: { text: 'done', usage: { ...NO_USAGE, inputTokens, outputTokens: 500 } } });
  const asked = { model: MODEL, max_tokens: 1_000, messages: [{ role: 'user', content: 'x' }], ...more };
  return send('/messages', asked, balance);
}

/** Sends a request whose response reports ten contexts. @param budget of each new key, in USD */
async function sendWithBudget(more: object, budget: string) {
  const usage = { ...NO_USAGE, inputTokens: 10 * CONTEXT_TOKENS, outputTokens: 500 };
  harness.provider.next({ answer: { text: 'done', usage } });
  const { db } = harness.database;
  const { accountId } = await createAccountFixture(db, { planId: 'standard' });
  await creditBalance(db, { accountId, amountNanoUsd: 100n * USD });
  const { secret } = await createKeyFixture(db, accountId, { maxBudgetUsd: budget });
  const asked = { model: MODEL, max_tokens: 1_000, messages: [{ role: 'user', content: 'x' }], ...more };
  const response = await post(`${api.baseUrl}/messages`, asked, { secret });
  const text = await response.text();
  await api.deps.ledger.flush();
  const [row] = await db.sql<{ cost: bigint; unbilled: bigint }[]>`
    SELECT cost_nano_usd AS cost, operator_cost_nano_usd AS unbilled FROM requests
    WHERE id = ${response.headers.get('x-request-id')} AND state = 'settled'`;
  return { status: response.status, text, row };
}

async function send(path: string, asked: object, balance: bigint) {
  const { db } = harness.database;
  const { accountId } = await createAccountFixture(db, { planId: 'standard' });
  await creditBalance(db, { accountId, amountNanoUsd: balance });
  const { secret } = await createKeyFixture(db, accountId);
  const response = await post(`${api.baseUrl}${path}`, asked, { secret });
  expect(response.status).toBe(200);
  expect(response.headers.get('x-tollgate-max-tokens')).toBeNull();
  await api.deps.ledger.flush();
  const [row] = await db.sql<{ cost: bigint; held: bigint; unbilled: bigint }[]>`
    SELECT cost_nano_usd AS cost, held_nano_usd AS held, operator_cost_nano_usd AS unbilled
    FROM requests WHERE id = ${response.headers.get('x-request-id')}`;
  return row;
}

it.each([
  ['an MCP server', MCP],
  ['a search', search(10)],
])('bills every turn that the usage reports: %s', async (_, more) => {
  const charged = contexts(10) + 500n * 5_000n;
  const row = await bill(more, 10 * CONTEXT_TOKENS, 100n * USD);
  expect(row).toMatchObject({ cost: charged, unbilled: 0n });
});

it('sends a request whose account can pay for one turn only, and records the rest as unbilled', async () => {
  const row = await bill(MCP, 10 * CONTEXT_TOKENS, USD / 2n);
  expect(row).toMatchObject({ cost: USD / 2n, held: USD / 2n });
  expect(row?.unbilled).toBe(contexts(10) + 500n * 5_000n - USD / 2n);
});

it.each([
  ['an MCP server', MCP],
  ['a search', search(10)],
])('refuses a request if the budget of its key does not cover every turn of %s', async (_, more) => {
  const { status, text, row } = await sendWithBudget(more, '2.2');
  expect(status).toBe(402);
  expect(text).toContain('tools that the provider runs');
  expect(text).toContain('could cost up to $2.');
  expect(text).toContain('max_uses');
  expect(text).toContain('higher');
  expect(row).toMatchObject({ cost: 0n, unbilled: 0n });
  expect(harness.provider.requests).toHaveLength(0);
});

it('sends a request with tools if the budget of its key covers every turn, and bills all of them', async () => {
  const { status, row } = await sendWithBudget(MCP, '2.205');
  expect(status).toBe(200);
  expect(row).toEqual({ cost: contexts(10) + 500n * 5_000n, unbilled: 0n });
  expect((await sendWithBudget(search(1), '0.42')).status).toBe(200);
});

it.each([
  ['the budget of a key', 100n * USD, { maxBudgetUsd: '2.21' }],
  ['the balance of an account', 2_210_000_000n, {}],
])('limits the output to what %s leaves after all turns', async (_, amountNanoUsd, scope) => {
  const { db } = harness.database;
  const { accountId } = await createAccountFixture(db, { planId: 'standard' });
  await creditBalance(db, { accountId, amountNanoUsd });
  const { secret } = await createKeyFixture(db, accountId, scope);
  harness.provider.next({ answer: { text: 'done' } });
  const asked = { model: MODEL, messages: [{ role: 'user', content: 'x' }], tools: [MCP_TOOL] };
  const response = await post(`${api.baseUrl}/chat/completions`, asked, { secret });
  expect(response.status).toBe(200);
  // A cent at $5 per million.
  expect(response.headers.get('x-tollgate-max-tokens')).toBe('2000');
});

it('refuses a request with a compaction if the budget of its key does not cover it', async () => {
  const { status, text } = await sendWithBudget(edit('compact_20260112'), '0.1');
  expect(status).toBe(402);
  expect(text).toContain('compaction');
  expect(harness.provider.requests).toHaveLength(0);
});

it('bills at most eleven turns of tools without a limit', async () => {
  const row = await bill(MCP, 15 * CONTEXT_TOKENS, 100n * USD);
  const bound = contexts(11) + 1_000n * 5_000n;
  expect(row).toMatchObject({ cost: bound, unbilled: contexts(15) + 500n * 5_000n - bound });
});

it('holds one turn of a request without such tools', async () => {
  const row = await bill({ tools: [{ name: 'own', input_schema: { type: 'object' } }] }, 100, 100n * USD);
  expect(row?.held).toBeLessThan(contexts(1));
});

it.each([
  ['of the request', { tools: [MCP_TOOL] }],
  ['of a namespace', { tools: [{ type: 'namespace', name: 'n', description: 'd', tools: [MCP_TOOL] }] }],
  ['of an item', { input: [USER_ITEM, { type: 'additional_tools', role: 'developer', tools: [MCP_TOOL] }] }],
  [
    'that a search found',
    {
      input: [
        USER_ITEM,
        { type: 'tool_search_output', call_id: 'c', execution: 'client', tools: [MCP_TOOL] },
      ],
    },
  ],
])('holds the turns of an MCP server among the tools %s', async (_, more) => {
  const usage = { input_tokens: 10 * CONTEXT_TOKENS, output_tokens: 500 };
  const body = JSON.stringify({ id: 'r', object: 'response', status: 'completed', output: [ANSWER], usage });
  harness.provider.next({ replay: { body, contentType: 'application/json' } });
  const asked = { model: RESPONSES_MODEL, max_output_tokens: 1_000, input: 'x', ...more };
  const row = await send('/responses', asked, 100n * USD);
  expect(row).toEqual({
    cost: contexts(10) + 500n * 5_000n,
    held: contexts(11) + 1_000n * 5_000n,
    unbilled: 0n,
  });
});

it('holds one turn if the provider gets none of these tools, because the request is translated', async () => {
  harness.provider.next({ answer: { text: 'done' } });
  const asked = { model: MODEL, max_output_tokens: 1_000, input: 'x', tools: [MCP_TOOL] };
  const row = await send('/responses', asked, 100n * USD);
  expect(row?.held).toBeLessThan(contexts(2));
});

it.each([
  ['of the request', { tools: [MCP_TOOL] }],
  ['of a message', { messages: [{ role: 'user', content: 'x', tools: [MCP_TOOL] }] }],
])('holds the turns of an MCP server among the tools %s of a chat completion', async (_, more) => {
  harness.provider.next({ answer: { text: 'done' } });
  const asked = { model: MODEL, max_tokens: 1_000, messages: [{ role: 'user', content: 'x' }], ...more };
  const row = await send('/chat/completions', asked, 100n * USD);
  expect(row?.held).toBe(contexts(11) + 1_000n * 5_000n);
});

it.each([
  ['an MCP server', MCP_TOOL],
  ['a search for tools', { type: 'tool_search' }],
  ['a namespace', { type: 'namespace', name: 'n', tools: [MCP_TOOL] }],
])(
  'sends no tool of the provider that a custom tool of a chat completion contains: %s',
  async (_, custom) => {
    const body = JSON.stringify({ id: 'r', object: 'response', status: 'completed', output: [ANSWER] });
    harness.provider.next({ replay: { body, contentType: 'application/json' } });
    const messages = [{ role: 'user', content: 'x' }];
    const asked = {
      model: RESPONSES_MODEL,
      max_tokens: 1_000,
      messages,
      tools: [{ type: 'custom', custom }],
    };
    const row = await send('/chat/completions', asked, 100n * USD);
    const sent = JSON.parse(harness.provider.requests[0]?.body.toString() ?? '');
    expect(sent.tools).toHaveLength(1);
    expect(sent.tools[0]).toMatchObject({ type: 'custom' });
    expect(JSON.stringify(sent.tools)).not.toMatch(/mcp|tool_search/);
    expect(row?.held).toBeLessThan(contexts(1));
  },
);

/** The summary of a compaction may be as long as the model can write, whatever the request's maximum. */
const compactionOutput = 8_000n * 5_000n;
const edit = (type: string) => ({ context_management: { edits: [{ type }] } });
const compactionUsage = {
  input_tokens: 60_000,
  output_tokens: 1_000,
  iterations: [
    { type: 'compaction', input_tokens: 180_000, output_tokens: 8_000 },
    { type: 'message', input_tokens: 60_000, output_tokens: 1_000 },
  ],
};

/** So long that it may fill the context. */
const LONG_CHAT = [{ role: 'user', content: 'x'.repeat(CONTEXT_TOKENS) }];

async function sendEdited(type: string, balance: bigint) {
  const body = JSON.stringify({ type: 'message', role: 'assistant', content: [], usage: compactionUsage });
  harness.provider.next({ replay: { body, contentType: 'application/json' } });
  return send('/messages', { model: MODEL, max_tokens: 1_000, messages: LONG_CHAT, ...edit(type) }, balance);
}

it('holds and bills a compaction of the conversation', async () => {
  const row = await sendEdited('compact_20260112', 100n * USD);
  expect(row).toEqual({
    cost: 240_000n * 1_000n + 9_000n * 5_000n,
    held: contexts(2) + 1_000n * 5_000n + compactionOutput,
    unbilled: 0n,
  });
});

it.each(['clear_tool_uses_20250919', 'clear_thinking_20251015'])('holds one turn of %s', async (type) => {
  const row = await sendEdited(type, 100n * USD);
  expect(row?.held).toBe(contexts(1) + 1_000n * 5_000n);
});

it('sends a request with a compaction that its account cannot pay for, and records the rest as unbilled', async () => {
  const row = await sendEdited('compact_20260112', USD / 4n);
  expect(row).toMatchObject({ cost: USD / 4n, held: USD / 4n });
  expect(row?.unbilled).toBe(240_000n * 1_000n + 9_000n * 5_000n - USD / 4n);
});

it('holds a compaction of a response', async () => {
  const body = JSON.stringify({ id: 'r', object: 'response', status: 'completed', output: [ANSWER] });
  const heldWith = async (type: string) => {
    harness.provider.next({ replay: { body, contentType: 'application/json' } });
    const edits = { context_management: [{ type, compact_threshold: 1_000 }] };
    const asked = { model: RESPONSES_MODEL, max_output_tokens: 1_000, input: 'x', ...edits };
    return (await send('/responses', asked, 100n * USD))?.held ?? 0n;
  };
  expect((await heldWith('compaction')) - (await heldWith('truncation'))).toBe(
    contexts(1) + compactionOutput,
  );
});
