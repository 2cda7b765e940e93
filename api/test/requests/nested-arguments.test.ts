import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, PRICES } from '../gateway-fixture.ts';

/** Served only by a provider of Anthropic's dialect, so that OpenAI's is translated. */
const TRANSLATED = 'claude-model';

const harness = await createHarness();
const { provider, database } = harness;
await ensureBuiltIn(database.db, {
  name: 'translated',
  dialect: 'anthropic-messages',
  baseUrl: `${provider.origin}/v1`,
  credentialEnv: null,
  preset: null,
  models: [{ id: TRANSLATED, upstreamModel: MODEL, facts: {}, prices: PRICES }],
});
const api = await startTestApi({ db: database.db, runtime: 'node' });
const { baseUrl } = api;
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});
beforeEach(() => provider.reset());

const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

const chat = (text: string) => ({
  path: '/chat/completions',
  param: 'messages.1.tool_calls.0.function.arguments',
  body: {
    max_tokens: 100,
    messages: [
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: text } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'y' },
    ],
  },
});
const responses = (text: string) => ({
  path: '/responses',
  param: 'input.1.arguments',
  body: {
    max_output_tokens: 100,
    input: [
      { role: 'user', content: 'x' },
      { type: 'function_call', call_id: 'a', name: 'f', arguments: text },
      { type: 'function_call_output', call_id: 'a', output: 'y' },
    ],
  },
});

it.each([
  ['chat, a plentiful budget', chat, '1000'],
  ['chat, a budget near its limit', chat, '0.12'],
  ['responses', responses, '1000'],
])(
  'refuses arguments nested deeper than a body may be, and leaves no hold: %s',
  async (_name, make, maxBudgetUsd) => {
    const { secret, keyId } = await harness.createKey({ maxBudgetUsd });
    for (const levels of [102, 30_000]) {
      const { path, body, param } = make(nested(levels));
      const response = await post(baseUrl + path, { model: TRANSLATED, ...body }, { secret });
      expect(response.status).toBe(400);
      expect((await readJson<ErrorBody>(response)).error).toMatchObject({ param });
    }
    const { path, body } = make(nested(101));
    expect((await post(baseUrl + path, { model: TRANSLATED, ...body }, { secret })).status).toBe(200);
    await expect
      .poll(() => database.db.sql`SELECT held_nano_usd::text AS held FROM key_totals WHERE key_id = ${keyId}`)
      .toEqual([{ held: '0' }]);
  },
);

it('answers 502 if the error of a provider is nested deeper than the stack', async () => {
  const message = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  provider.always({
    replay: { status: 400, body: `{"error":{"message":${message}}}`, contentType: 'application/json' },
  });
  for (const model of [MODEL, TRANSLATED]) {
    const response = await post(
      `${baseUrl}/chat/completions`,
      { model, messages: [{ role: 'user', content: 'x' }] },
      { secret: harness.secret },
    );
    expect(response.status).toBe(502);
    expect((await readJson<ErrorBody>(response)).error).toMatchObject({ code: 'upstream_error' });
  }
});
