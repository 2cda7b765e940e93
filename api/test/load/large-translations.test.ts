/** Large bodies are translated in a thread: the provider must get the same as for a small body on the event loop. */
import { parseUsd } from '@tollgate/core/money/money';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, PRICES, type Harness } from '../gateway-fixture.ts';

const SMALL = 'one line of text. ';
const LARGE = SMALL.repeat(20_000);
const OWN_MAX = 8_000;

/** Models by the dialect of their only provider. */
const MODELS = [
  ['of-chat', 'openai-chat', null],
  ['of-mistral', 'openai-chat', 'mistral'],
  ['of-messages', 'anthropic-messages', null],
  ['claude-opus-4-1', 'anthropic-messages', null],
] as const;

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

/** Requests of each dialect with the text `text`. */
const REQUESTS: [string, string, (text: string) => object][] = [
  ['a chat', '/chat/completions', (text) => ({ messages: [{ role: 'user', content: text }] })],
  [
    'a chat with tools and a result',
    '/chat/completions',
    (text) => ({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Weather?' },
        {
          role: 'assistant',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'w', arguments: '{"city":"Bern"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: text },
      ],
      tools: [{ type: 'function', function: { name: 'w', parameters: schema } }],
      max_tokens: 700,
      temperature: 0.5,
      user: 'u1',
      seed: 7,
    }),
  ],
  [
    'a chat with reasoning',
    '/chat/completions',
    (text) => ({
      messages: [{ role: 'user', content: text }],
      reasoning_effort: 'high',
      max_completion_tokens: 6_000,
    }),
  ],
  [
    'messages',
    '/messages',
    (text) => ({
      max_tokens: 500,
      system: 'Be brief.',
      messages: [{ role: 'user', content: [{ type: 'text', text }] }],
      stop_sequences: ['END'],
      top_k: 3,
    }),
  ],
  [
    'messages with a thinking budget',
    '/messages',
    (text) => ({
      max_tokens: 4_000,
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      messages: [{ role: 'user', content: text }],
    }),
  ],
  [
    'a response',
    '/responses',
    (text) => ({ instructions: 'Be brief.', input: text, reasoning: { effort: 'low' }, store: false }),
  ],
  [
    'a response with a schema',
    '/responses',
    (text) => ({
      input: [{ role: 'user', content: [{ type: 'input_text', text }] }],
      text: { format: { type: 'json_schema', name: 'place', schema, strict: true } },
      max_output_tokens: 900,
    }),
  ],
];

/** Providers cache only long prompts, so only these get breakpoints. */
const BREAKPOINT = ',"cache_control":{"type":"ephemeral"}';

const CASES = REQUESTS.flatMap(([name, path, body]) =>
  MODELS.filter(([, dialect]) => (path === '/messages') !== (dialect === 'anthropic-messages')).flatMap(
    ([model]) => [false, true].map((stream) => ({ name, path, body, model, stream })),
  ),
);

describe.each(['charges money', 'charges nothing'] as const)('a large body on a plan that %s', (plan) => {
  let harness: Harness;
  let api: TestApi;
  let secret: string;
  beforeAll(async () => {
    harness = await createHarness([]);
    for (const [id, dialect, preset] of MODELS) {
      await ensureBuiltIn(harness.database.db, {
        name: id,
        dialect,
        baseUrl: `${harness.provider.origin}/v1`,
        credentialEnv: null,
        preset,
        models: [
          { id, upstreamModel: `${id}-upstream`, facts: { maxOutputTokens: OWN_MAX }, prices: PRICES },
        ],
      });
    }
    api = await startTestApi({ db: harness.database.db, runtime: 'node' });
    const planId = plan === 'charges money' ? 'standard' : 'internal';
    const { accountId } = await createAccountFixture(harness.database.db, { planId });
    if (planId === 'standard')
      await creditBalance(harness.database.db, { accountId, amountNanoUsd: parseUsd('10000') ?? 0n });
    ({ secret } = await createKeyFixture(harness.database.db, accountId));
  });
  beforeEach(() => harness.provider.reset());
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  const sentFor = async (path: string, body: object) => {
    harness.provider.reset();
    const response = await post(api.baseUrl + path, body, { secret });
    await response.text();
    const sent = harness.provider.requests[0]?.body.toString() ?? `status ${response.status}`;
    return {
      status: response.status,
      dropped: response.headers.get('x-tollgate-dropped-params'),
      sent: parseJsonObject(sent.replaceAll(LARGE, SMALL).replaceAll(BREAKPOINT, '')) ?? sent,
    };
  };

  it.each(CASES)('is translated like a small one: $name for $model, stream $stream', async (each) => {
    const { path, body, model, stream } = each;
    const request = (text: string) => ({ model, stream, ...body(text) });
    const small = await sentFor(path, request(SMALL));
    const large = await sentFor(path, request(LARGE));
    expect(large).toEqual(small);
    expect(small.sent).toMatchObject({ model: `${model}-upstream` });
  });

  it('is refused like a small one', async () => {
    const request = (text: string) => ({
      model: 'of-messages',
      n: 2,
      messages: [{ role: 'user', content: text }],
    });
    const small = await sentFor('/chat/completions', request(SMALL));
    expect(small.status).toBe(400);
    expect(await sentFor('/chat/completions', request(LARGE))).toEqual(small);
  });
});
