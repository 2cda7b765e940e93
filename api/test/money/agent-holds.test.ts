import { NO_USAGE, parseUsd } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { listOffers } from '@tollgate/upstreams/catalogue/model-catalogue';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, type Harness } from '../gateway-fixture.ts';
import {
  CODEX_NAMESPACE_TOOLS,
  CODEX_TOOLS,
  getClaudeCodeRequest,
  getCodexRequest,
} from './agent-requests.ts';

const CODEX_MODELS = ['gpt-5.4', 'gpt-5.5', 'gpt-5.6'];
const CLAUDE_MODELS = ['claude-sonnet-5', 'claude-opus-5'];
const BYTES_PER_TOKEN = 4;

let harness: Harness;
let api: TestApi;
beforeAll(async () => {
  harness = await createHarness();
  for (const [dialect, preset, ids] of [
    ['openai-responses', 'openai', CODEX_MODELS],
    ['openai-responses', null, ['gpt-5.6-terra']],
    ['anthropic-messages', null, CLAUDE_MODELS],
  ] as const)
    await ensureBuiltIn(harness.database.db, {
      name: `agents-${dialect}-${preset}`,
      dialect,
      baseUrl: `${harness.provider.origin}/v1`,
      credentialEnv: null,
      preset,
      models: ids.map((id) => ({ upstreamModel: null, ...getOffer(id) })),
    });
  api = await startTestApi({ db: harness.database.db, runtime: 'node' });
});
beforeEach(() => harness.provider.reset());
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

function getOffer(id: string) {
  const [offer] = listOffers(id);
  if (offer === undefined) throw new Error(`The catalogue has no ${id}`);
  return { id, facts: offer.facts, prices: offer.prices };
}

async function openAccount(usd: string, budget: string | null = null) {
  const { db } = harness.database;
  const { accountId } = await createAccountFixture(db, { planId: 'standard' });
  await creditBalance(db, { accountId, amountNanoUsd: parseUsd(usd) ?? 0n });
  const { secret } = await createKeyFixture(db, accountId, { maxBudgetUsd: budget });
  return { accountId, secret };
}

async function send(path: string, body: object, secret: string) {
  if (path === '/responses') {
    const output = [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] },
    ];
    const usage = { input_tokens: 9_000, output_tokens: 10, total_tokens: 9_010 };
    const answer = { id: 'r', object: 'response', status: 'completed', output, usage };
    harness.provider.next({ replay: { body: JSON.stringify(answer), contentType: 'application/json' } });
  }
  const response = await post(api.baseUrl + path, body, { secret });
  const text = await response.text();
  await api.deps.ledger.flush();
  const [row] = await harness.database.db.sql<{ held: bigint; cost: bigint }[]>`
    SELECT held_nano_usd AS held, cost_nano_usd AS cost FROM requests
    WHERE id = ${response.headers.get('x-request-id')}`;
  const sent: unknown = JSON.parse(harness.provider.requests.at(-1)?.body.toString() ?? 'null');
  return { status: response.status, text, headers: response.headers, held: row?.held ?? 0n, sent };
}

const TOOLS = {
  'its own tools': CODEX_TOOLS.slice(0, 6),
  'tool_search and web_search': CODEX_TOOLS,
  'a namespace and web_search': CODEX_NAMESPACE_TOOLS,
};

it.each(
  CODEX_MODELS.flatMap((model) => Object.entries(TOOLS).map(([name, tools]) => ({ model, name, tools }))),
)(
  "holds at most three times the cost of Codex's first request at its maximum: $model with $name",
  async ({ model, name, tools }) => {
    const { prices, facts } = getOffer(model);
    const request = getCodexRequest(model, tools);
    const inputTokens = Math.ceil(JSON.stringify(request).length / BYTES_PER_TOKEN);
    const most = computeCost({ ...NO_USAGE, inputTokens, outputTokens: facts.maxOutputTokens ?? 0 }, prices);
    const { secret } = await openAccount('1000');
    const { status, held, text } = await send('/responses', request, secret);
    expect({ status, text }).toMatchObject({ status: 200 });
    const ratio = Number(held) / Number(most);
    process.stdout.write(`${model}, ${name}: holds ${ratio.toFixed(2)} times its cost at the maximum\n`);
    expect(ratio).toBeGreaterThan(1);
    expect(ratio).toBeLessThan(3);
  },
);

it('holds repeated input at its full price if the provider may not cache it, or the request chooses what is cached', async () => {
  const { secret } = await openAccount('1000');
  const { prices } = getOffer('gpt-5.5');
  const read = async (request: object) => {
    const { status, held, text } = await send('/responses', request, secret);
    expect({ status, text }).toMatchObject({ status: 200 });
    return held;
  };
  const request = getCodexRequest('gpt-5.5', CODEX_TOOLS);
  const cached = await read(request);
  const searches = 10n * 16_000n * prices.inputNanoUsdPerMtok;
  for (const mode of ['explicit', 'implicit'])
    expect(await read({ ...request, prompt_cache_options: { mode } })).toBeGreaterThan(
      cached + searches / 1_000_000n,
    );
  const unknown = getCodexRequest('gpt-5.6-terra', CODEX_TOOLS);
  const withChoice = await read({ ...unknown, prompt_cache_options: { mode: 'explicit' } });
  // The choice itself has a few bytes.
  expect(withChoice - (await read(unknown))).toBeLessThan(withChoice / 100n);
});

it.each(Object.entries(TOOLS))(
  "serves Codex's first request from a balance of half a dollar: %s",
  async (_, tools) => {
    const { secret } = await openAccount('0.5');
    const { status, text } = await send('/responses', getCodexRequest('gpt-5.5', tools), secret);
    expect({ status, text }).toMatchObject({ status: 200 });
  },
);

it.each(CLAUDE_MODELS)(
  "serves Claude Code's first request from a balance of one dollar: %s",
  async (model) => {
    const { secret } = await openAccount('1');
    const { status, text, headers, sent, held } = await send(
      '/messages',
      getClaudeCodeRequest(model),
      secret,
    );
    expect({ status, text }).toMatchObject({ status: 200 });
    expect(held).toBeLessThanOrEqual(1_000_000_000n);
    const limit = headers.get('x-tollgate-max-tokens');
    expect(sent).toMatchObject({ max_tokens: limit === null ? 64_000 : Number(limit) });
    process.stdout.write(
      `${model}: holds $${Number(held) / 1e9} of $1 and sends max_tokens ${limit ?? '64000'}\n`,
    );
  },
);

it('lowers a long maximum of a request only if the funds of its key or account are low', async () => {
  const { secret } = await openAccount('100');
  const rich = await send('/messages', getClaudeCodeRequest('claude-opus-5'), secret);
  expect(rich.headers.get('x-tollgate-max-tokens')).toBeNull();
  expect(rich.sent).toMatchObject({ max_tokens: 64_000 });
  const { secret: limited } = await openAccount('100', '1');
  const { status, headers } = await send('/messages', getClaudeCodeRequest('claude-opus-5'), limited);
  expect(status).toBe(200);
  expect(Number(headers.get('x-tollgate-max-tokens'))).toBeGreaterThanOrEqual(8_192);
  const { secret: poor } = await openAccount('100', '0.4');
  const refused = await send('/messages', getClaudeCodeRequest('claude-opus-5'), poor);
  expect([refused.status, refused.text.includes('output tokens are affordable')]).toEqual([402, true]);
});
