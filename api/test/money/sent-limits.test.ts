import { parseUsd } from '@tollgate/core/money/money';
import { parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, PRICES, type Harness } from '../gateway-fixture.ts';

/** The gateway's default maximum of a model without a known one. */
const UNKNOWN_MAX = 16_384;
const OWN_MAX = 1_000;
const messages = [{ role: 'user', content: 'Hello there' }];

/** Models by the dialect of their only provider, with and without a separate maximum. */
const MODELS = [
  ['chat-unknown', 'openai-chat', {}],
  ['chat-limited', 'openai-chat', { maxOutputTokens: OWN_MAX }],
  ['chat-small', 'openai-chat', { maxOutputTokens: 8_000, contextTokens: 8_192 }],
  ['embedder', 'openai-chat', { maxOutputTokens: OWN_MAX }],
  ['messages-unknown', 'anthropic-messages', {}],
  ['messages-limited', 'anthropic-messages', { maxOutputTokens: OWN_MAX }],
] as const;

describe.each(['node', 'web'] as const)('what a held request sends, on the %s runtime', (runtime) => {
  let harness: Harness;
  let api: TestApi;
  let secret: string;
  beforeAll(async () => {
    harness = await createHarness([]);
    for (const [id, dialect, facts] of MODELS) {
      await ensureBuiltIn(harness.database.db, {
        name: id,
        dialect,
        baseUrl: `${harness.provider.origin}/v1`,
        credentialEnv: null,
        preset: null,
        models: [{ id, upstreamModel: null, facts, prices: PRICES }],
      });
    }
    await harness.database.db.sql`UPDATE models SET capabilities = '{embeddings}' WHERE id = 'embedder'`;
    api = await startTestApi({ db: harness.database.db, runtime });
    const { accountId } = await createAccountFixture(harness.database.db, { planId: 'standard' });
    await creditBalance(harness.database.db, { accountId, amountNanoUsd: parseUsd('10000') ?? 0n });
    ({ secret } = await createKeyFixture(harness.database.db, accountId));
  });
  beforeEach(() => harness.provider.reset());
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  const ask = async (path: string, body: object | string) => {
    const response = await post(api.baseUrl + path, body, { secret });
    const text = await response.text();
    const sentText = harness.provider.requests[0]?.body.toString() ?? '';
    return {
      status: response.status,
      text,
      limit: response.headers.get('x-tollgate-max-tokens'),
      sentText,
      sent: parseJsonObject(sentText) ?? {},
    };
  };
  const limitsIn = ({ max_tokens, max_completion_tokens, max_output_tokens }: JsonObject) =>
    [max_tokens, max_completion_tokens, max_output_tokens].filter((value) => typeof value === 'number');

  it.each([
    ['/chat/completions', 'chat-unknown', { messages }, UNKNOWN_MAX],
    ['/chat/completions', 'chat-limited', { messages }, OWN_MAX],
    ['/chat/completions', 'messages-unknown', { messages }, UNKNOWN_MAX],
    ['/chat/completions', 'messages-limited', { messages }, OWN_MAX],
    ['/chat/completions', 'chat-limited', { messages, max_tokens: null }, OWN_MAX],
    ['/chat/completions', 'chat-limited', { messages, max_tokens: 9_999_999 }, OWN_MAX],
    ['/chat/completions', 'chat-limited', { messages, max_completion_tokens: 9_999_999 }, OWN_MAX],
    ['/chat/completions', 'messages-limited', { messages, max_tokens: 9_999_999 }, OWN_MAX],
    ['/messages', 'messages-limited', { messages, max_tokens: 9_999_999 }, OWN_MAX],
    ['/messages', 'chat-limited', { messages, max_tokens: 9_999_999 }, OWN_MAX],
    ['/messages', 'chat-limited', { messages, max_tokens: 7 }, 7],
    ['/responses', 'chat-unknown', { input: 'Hi' }, UNKNOWN_MAX],
    ['/responses', 'messages-limited', { input: 'Hi', max_output_tokens: 5_000 }, OWN_MAX],
  ])('on %s to %s names the maximum that is held, for %j', async (path, model, body, expected) => {
    for (const stream of [true, false, undefined]) {
      harness.provider.reset();
      const { status, sent, limit } = await ask(path, { model, ...body, stream });
      expect(status).toBe(200);
      expect(sent).toMatchObject({ model, stream: stream ?? false });
      expect(new Set(limitsIn(sent))).toEqual(new Set([expected]));
      const asked = limitsIn(body)[0] ?? (model.endsWith('unknown') ? Infinity : OWN_MAX);
      expect(limit).toBe(expected < asked ? String(expected) : null);
    }
  });

  it('limits each of two members that name the same maximum, and refuses two that differ', async () => {
    const body = { model: 'chat-limited', messages, max_tokens: 5_000, max_completion_tokens: 5_000 };
    const { sent } = await ask('/chat/completions', body);
    expect(limitsIn(sent)).toEqual([OWN_MAX, OWN_MAX]);
    const differing = await ask('/chat/completions', { ...body, max_tokens: 5 });
    expect(differing).toMatchObject({ status: 400 });
    expect(differing.text).toContain('"param":"max_tokens"');
  });

  it('keeps every byte of a request that already names everything that is held', async () => {
    const body = `{ "model" : "chat-limited", "stream":false, "max_tokens": 50,  "messages":[{"role":"user","content":"\\u00e9"}], "temperature": 1e0 }`;
    const { status, sentText, limit } = await ask('/chat/completions', body);
    expect([status, sentText, limit]).toEqual([200, body, null]);
  });

  it('leaves room for the input when it chooses the maximum', async () => {
    const content = 'Some words of a long text. '.repeat(400);
    const { status, sent } = await ask('/chat/completions', {
      model: 'chat-small',
      messages: [{ role: 'user', content }],
    });
    expect(status).toBe(200);
    const [limit] = limitsIn(sent);
    expect(limit).toBeGreaterThan(2_000);
    expect(limit).toBeLessThan(8_192 - content.length / 4);
  });

  it('refuses a thinking budget above the lowered maximum', async () => {
    const thinking = { type: 'enabled', budget_tokens: 1_500 };
    const body = { model: 'messages-limited', messages, max_tokens: 4_000, thinking };
    const response = await post(`${api.baseUrl}/messages`, body, { secret });
    expect(response.status).toBe(400);
    expect((await readJson<ErrorBody>(response)).error.message).toContain('thinking.budget_tokens');
    expect(harness.provider.requests).toEqual([]);
  });

  it('adds neither maximum nor stream to embeddings', async () => {
    const { sent } = await ask('/embeddings', { model: 'embedder', input: 'Hi' });
    expect(sent).toEqual({ model: 'embedder', input: 'Hi' });
  });
});
