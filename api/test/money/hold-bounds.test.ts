/** The exact bounds of holds, and of the output that is sent. */
import { formatUsd } from '@tollgate/core/money/money';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL } from '../gateway-fixture.ts';

const OTHER = 'other-model';
const OUTPUT_NANO_USD = 5_000n;
const MODEL_MAX = 30_000;
const MIXED = 'mixed-model';
/** The same routes, in the other order. */
const MIXED_REVERSED = 'reversed-model';
const harness = await createHarness([MODEL, OTHER, 'gpt-4.1', 'claude-sonnet-4-5', MIXED, MIXED_REVERSED]);
const { provider, database } = harness;
const { sql } = database.db;
await sql`UPDATE models SET max_output_tokens = ${MODEL_MAX} WHERE id = ${OTHER}`;
for (const [model, dialect, name] of [
  [MIXED, 'openai-chat', 'gpt-4.1'],
  [MIXED, 'anthropic-messages', 'claude-sonnet-4-5'],
  [MIXED_REVERSED, 'openai-chat', 'claude-sonnet-4-5'],
  [MIXED_REVERSED, 'anthropic-messages', 'gpt-4.1'],
])
  await sql`
    UPDATE routes SET upstream_model = ${name ?? ''} FROM providers
    WHERE providers.id = routes.provider_id AND model_id = ${model ?? ''} AND providers.name = ${`fake-${dialect}`}`;
const api = await startTestApi({ db: database.db, runtime: 'node' });
beforeEach(() => provider.reset());
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

const ask = (secret: string, body: object, path = '/messages') =>
  post(
    api.baseUrl + path,
    { model: MODEL, messages: [{ role: 'user', content: 'Hello there' }], ...body },
    { secret },
  );
const getError = async (response: Response) => (await readJson<ErrorBody>(response)).error;

async function openAccount(amountNanoUsd: bigint) {
  const { accountId } = await createAccountFixture(database.db, { planId: 'standard' });
  await creditBalance(database.db, { accountId, amountNanoUsd });
  return createKeyFixture(database.db, accountId);
}

async function getHeld(response: Response): Promise<bigint> {
  expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
  await api.deps.ledger.flush();
  const [row] = await sql<{ held: bigint }[]>`
    SELECT held_nano_usd AS held FROM requests WHERE id = ${response.headers.get('x-request-id')}`;
  return row?.held ?? 0n;
}

it('a balance must pay for a reasoning budget and a visible response of 1,024 tokens after it', async () => {
  const budget = 20_000;
  const request = { max_tokens: 60_000, thinking: { type: 'enabled', budget_tokens: budget } };
  const input = 500_000n;
  const pay = (tokens: number) => openAccount(BigInt(tokens) * OUTPUT_NANO_USD + input);
  const refused = await ask((await pay(budget + 500)).secret, request);
  expect(refused.status).toBe(402);
  expect((await getError(refused)).type).toBe('billing_error');
  expect(provider.requests).toEqual([]);
  const answered = await ask((await pay(budget + 1_024)).secret, request);
  expect(answered.status).toBe(200);
  expect(Number(answered.headers.get('x-tollgate-max-tokens'))).toBeGreaterThanOrEqual(budget + 1_024);
});

it('the hold covers a reasoning budget above max_tokens, as interleaved thinking allows it, in addition', async () => {
  const { secret } = await openAccount(100_000_000_000n);
  const heldFor = async (budget_tokens: number) =>
    getHeld(await ask(secret, { max_tokens: 4_000, thinking: { type: 'enabled', budget_tokens } }));
  const [within, equal, above] = [await heldFor(3_999), await heldFor(4_000), await heldFor(20_000)];
  expect(equal - within).toBe(4_000n * OUTPUT_NANO_USD);
  // The longer number is one more byte of input.
  expect(above - within).toBeGreaterThanOrEqual(20_000n * OUTPUT_NANO_USD);
  expect(above - within).toBeLessThan(20_010n * OUTPUT_NANO_USD);
});

it('the hold covers the reasoning budget of a fallback', async () => {
  const { secret } = await openAccount(100_000_000_000n);
  const heldFor = async (budget_tokens: number) => {
    const fallbacks = [{ model: OTHER, thinking: { type: 'enabled', budget_tokens } }];
    return getHeld(await ask(secret, { max_tokens: 4_000, fallbacks }));
  };
  const [least, most] = [await heldFor(10_000), await heldFor(60_000)];
  expect(most - least).toBe(50_000n * OUTPUT_NANO_USD);
});

it('the hold covers a reasoning budget above max_tokens for a fallback, too', async () => {
  const { secret } = await openAccount(100_000_000_000n);
  const heldFor = async (budget_tokens: number) => {
    const thinking = { type: 'enabled', budget_tokens };
    return getHeld(await ask(secret, { max_tokens: 4_000, thinking, fallbacks: [{ model: OTHER }] }));
  };
  const [least, most] = [await heldFor(10_000), await heldFor(60_000)];
  expect(most - least).toBe(2n * 50_000n * OUTPUT_NANO_USD);
});

it('a balance that pays for max_tokens but not for a reasoning budget above it is refused', async () => {
  const { secret } = await openAccount(10_000n * OUTPUT_NANO_USD);
  const request = { max_tokens: 4_000, thinking: { type: 'enabled', budget_tokens: 20_000 } };
  expect((await ask(secret, request)).status).toBe(402);
  expect(provider.requests).toEqual([]);
});

it("a reasoning budget equal to the model's maximum is refused, because max_tokens is lowered to it", async () => {
  const { secret } = await openAccount(100_000_000_000n);
  const send = (budget_tokens: number) =>
    ask(secret, { model: OTHER, max_tokens: 40_000, thinking: { type: 'enabled', budget_tokens } });
  const refused = await send(MODEL_MAX);
  expect(refused.status).toBe(400);
  expect((await getError(refused)).message).toContain('thinking.budget_tokens must be less than max_tokens');
  expect(provider.requests).toEqual([]);
  expect((await send(MODEL_MAX - 1)).status).toBe(200);
});

it.each([
  ['without a known maximum', OTHER, MODEL, MODEL_MAX - 1_000],
  ['with a lower maximum', MODEL, OTHER, MODEL_MAX + 10_000],
])('the hold for another model %s covers max_tokens', async (_, model, other, max_tokens) => {
  const { secret } = await openAccount(100_000_000_000n);
  const held = await getHeld(await ask(secret, { model, models: [other], max_tokens }, '/chat/completions'));
  expect(held).toBeGreaterThanOrEqual(2n * BigInt(max_tokens) * OUTPUT_NANO_USD);
});

it('a budget that pays all turns with the shortest output is sent with exactly that output', async () => {
  const request = (max_tokens: number) => ({
    max_tokens,
    mcp_servers: [{ type: 'url', url: 'https://mcp.example/sse', name: 'x' }],
    tools: [{ type: 'mcp_toolset', mcp_server_name: 'x' }],
  });
  // A maximum is not lowered below this, so it is the least that a budget must pay.
  const held = await getHeld(
    await ask((await harness.createKey({ maxBudgetUsd: '1000' })).secret, request(8_192)),
  );
  const exact = await harness.createKey({ maxBudgetUsd: formatUsd(held) });
  const response = await ask(exact.secret, request(9_999));
  expect(await getHeld(response)).toBe(held);
  expect(response.headers.get('x-tollgate-max-tokens')).toBe('8192');
});

it('a held request is recorded with its counted input if that is less than the estimate by size', async () => {
  const { secret, keyId } = await harness.createKey({ maxBudgetUsd: '0.1' });
  const released = Promise.withResolvers<void>();
  provider.next({ headersAfter: released.promise });
  const content = `Hello${' '.repeat(20_000)}`;
  const asked = ask(secret, { messages: [{ role: 'user', content }], max_tokens: 9_000 });
  await expect.poll(() => provider.requests.length).toBe(1);
  const rows = await sql`
    SELECT input_tokens < 1000 AS "isCounted" FROM requests WHERE key_id = ${keyId} AND state = 'held'`;
  released.resolve();
  expect(rows).toEqual([{ isCounted: true }]);
  expect((await asked).status).toBe(200);
});

it('near a cap, the hold covers the input as the route counts it that counts most', async () => {
  const content = 'A sentence of some words. '.repeat(400);
  const holdFor = async (model: string) => {
    const { secret } = await harness.createKey({ maxBudgetUsd: '0.02' });
    const request = { model, max_tokens: 16, messages: [{ role: 'user', content }] };
    return getHeld(await ask(secret, request, '/chat/completions'));
  };
  const most = await holdFor('claude-sonnet-4-5');
  expect(await holdFor(MIXED)).toBe(most);
  expect(await holdFor(MIXED_REVERSED)).toBe(most);
  expect(await holdFor('gpt-4.1')).toBeLessThan(most);
});

const TEXT = 'lorem ipsum dolor sit amet '.repeat(3_000);
const FUNCTION = (name: string, description: string) => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object' } },
});
it.each<[string, string, object]>([
  ['content', '/messages', { messages: [{ role: 'user', content: TEXT }] }],
  [
    'examples of a tool',
    '/messages',
    { tools: [{ name: 'a', input_schema: { type: 'object' }, input_examples: [{ a: TEXT }] }] },
  ],
  [
    'a tool that may not be called',
    '/chat/completions',
    {
      tools: [FUNCTION('a', 'A'), FUNCTION('b', TEXT)],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'a' } }] },
      },
    },
  ],
  ['variables of a template', '/chat/completions', { chat_template_kwargs: { documents: TEXT } }],
])('a budget must pay for the text of a request, also in %s', async (_name, path, request) => {
  const { secret } = await harness.createKey({ maxBudgetUsd: '0.01' });
  const response = await ask(secret, { max_tokens: 16, ...request }, path);
  expect({ status: response.status, sent: provider.requests.length }).toEqual({ status: 402, sent: 0 });
});
