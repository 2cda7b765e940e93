import { setTimeout as sleep } from 'node:timers/promises';
import { NO_USAGE } from '@tollgate/core/money/money';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, PRICES } from '../gateway-fixture.ts';

const REASONER = 'reasoning-model';
const GROK = 'reasoning-model-of-xai';
const UNLISTED = 'unlisted-model';
const harness = await createHarness();
const { provider, database } = harness;
for (const [id, preset, capabilities] of [
  [REASONER, 'openai', ['reasoning']],
  [GROK, 'xai', ['reasoning']],
  [UNLISTED, 'openai', []],
] as const)
  await ensureBuiltIn(database.db, {
    name: id,
    dialect: 'openai-chat',
    baseUrl: `${provider.origin}/v1`,
    credentialEnv: null,
    preset,
    models: [
      {
        id,
        upstreamModel: null,
        facts: { contextTokens: 500_000, maxOutputTokens: 8_000, capabilities: [...capabilities] },
        prices: PRICES,
      },
    ],
  });
const api = await startTestApi({ db: database.db, runtime: 'node', drainAfterDisconnectMs: 100 });
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});
beforeEach(() => provider.reset());

/** A key of a plan that charges money: what has no price is dropped. */
async function createPayingKey() {
  const { accountId } = await createAccountFixture(database.db, { planId: 'standard' });
  await creditBalance(database.db, { accountId, amountNanoUsd: 100_000_000_000n });
  const { key, secret } = await createKeyFixture(database.db, accountId);
  return { keyId: key.id, secret };
}

const event = (type: string, members: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
const RESPONSES_STREAM = [
  event('response.created', { response: { id: 'r', object: 'response', status: 'in_progress', output: [] } }),
  event('response.output_text.delta', { item_id: 'm', output_index: 0, content_index: 0, delta: 'hi there' }),
  event('response.output_text.delta', { item_id: 'm', output_index: 0, content_index: 0, delta: ' again' }),
].join('');

/** The billed output tokens of a stream that its caller breaks off after most of a second, and what was sent. */
async function breakOff(path: string, model: string, more: object) {
  const { keyId, secret } = await createPayingKey();
  const isResponses = path === '/responses';
  provider.next(
    isResponses
      ? { replay: { body: RESPONSES_STREAM, contentType: 'text/event-stream' }, stallAfterBytes: -20 }
      : { answer: { words: 30 }, stallAfterPieces: 3 },
  );
  const asked = isResponses
    ? { input: 'x', max_output_tokens: 4_000 }
    : { messages: [{ role: 'user', content: 'x' }], max_tokens: 4_000 };
  const leaving = new AbortController();
  const answer = await fetch(`${api.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model, stream: true, ...asked, ...more }),
    signal: leaving.signal,
  });
  expect(answer.status).toBe(200);
  await answer.body?.getReader().read();
  await sleep(900);
  leaving.abort();
  const find = () => database.db.sql<{ output: number }[]>`
    SELECT output_tokens AS output FROM requests WHERE key_id = ${keyId} AND state = 'settled'`;
  await expect.poll(async () => (await find()).length, { timeout: 5_000 }).toBe(1);
  return { output: (await find())[0]?.output, sent: String(provider.requests.at(-1)?.body) };
}

const OFF = { thinking: { type: 'disabled' } };
const LARGE = [{ role: 'user', content: 'word '.repeat(60_000) }];

it.each([
  { name: 'by translation', path: '/messages', model: REASONER, more: OFF },
  {
    name: 'by translation in a thread',
    path: '/messages',
    model: REASONER,
    more: { ...OFF, messages: LARGE },
  },
  { name: 'by the contract', path: '/responses', model: REASONER, more: { enable_thinking: false } },
  { name: 'by the quirks', path: '/chat/completions', model: GROK, more: OFF },
])(
  'reasoning that is turned off in a setting dropped $name is billed by time',
  async ({ path, model, more }) => {
    const { output, sent } = await breakOff(path, model, more);
    expect(sent).not.toMatch(/"(thinking|enable_thinking|reasoning_effort)"/);
    // 40 tokens per second.
    expect(output).toBeGreaterThanOrEqual(32);
  },
);

it('reasoning that is turned off in a setting that is sent is not billed', async () => {
  const { output, sent } = await breakOff('/chat/completions', REASONER, { reasoning_effort: 'none' });
  expect(sent).toContain('"reasoning_effort"');
  expect(output).toBeLessThan(20);
});

it('reasoning requested in a dropped setting is not billed by time for a model that has not reasoned', async () => {
  const { secret } = await createPayingKey();
  const usage = { ...NO_USAGE, inputTokens: 20, outputTokens: 30 };
  provider.next({ answer: { words: 30, usage }, intervalMs: 10 });
  const complete = {
    model: UNLISTED,
    max_tokens: 100,
    stream: true,
    messages: [{ role: 'user', content: 'x' }],
  };
  await (await post(`${api.baseUrl}/chat/completions`, complete, { secret })).text();
  const { output, sent } = await breakOff('/responses', UNLISTED, { enable_thinking: true });
  expect(sent).not.toContain('enable_thinking');
  expect(output).toBeLessThan(20);
});
