/** A provider refuses reasoning that another account or provider encrypted: the request is tried again without it. */
import { Buffer } from 'node:buffer';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, PRICES } from '../gateway-fixture.ts';

const GPT = 'gpt-5.4';
const CLAUDE = 'claude-sonnet-4-5';
const harness = await createHarness([]);
const { provider, database } = harness;
for (const [dialect, id] of [
  ['openai-responses', GPT],
  ['anthropic-messages', CLAUDE],
] as const)
  await ensureBuiltIn(database.db, {
    name: `only-${dialect}`,
    dialect,
    baseUrl: `${provider.origin}/v1`,
    credentialEnv: null,
    preset: null,
    models: [{ id, upstreamModel: null, facts: {}, prices: PRICES }],
  });
const api = await startTestApi({ db: database.db, runtime: 'node' });
beforeEach(() => provider.reset());
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

const USER = { role: 'user', content: 'Hi' };
const SEALED = 'gAAAAABsealed-by-another';
const OPENAI_ERROR = {
  error: {
    message: 'The encrypted content for item rs_1 could not be verified.',
    type: 'invalid_request_error',
    param: null,
    code: 'invalid_encrypted_content',
  },
};
const ANTHROPIC_ERROR = {
  type: 'error',
  error: {
    type: 'invalid_request_error',
    message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
  },
};
const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done' }] }],
  usage: { input_tokens: 9, output_tokens: 1, total_tokens: 10 },
};
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: CLAUDE,
  content: [{ type: 'text', text: 'Done' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 1 },
};
const PACKED = `reasoning.encrypted:${Buffer.from(
  JSON.stringify({ type: 'reasoning.encrypted', data: SEALED, id: 'rs_1', format: 'openai-responses-v1' }),
).toString('base64')}`;

const CASES = {
  'OpenAI in its own dialect': {
    path: '/responses',
    body: {
      model: GPT,
      input: [
        USER,
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: SEALED },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes' }] },
        USER,
      ],
    },
    error: OPENAI_ERROR,
    answer: RESPONSE,
  },
  'OpenAI in translation': {
    path: '/messages',
    body: {
      model: GPT,
      max_tokens: 99,
      messages: [
        USER,
        {
          role: 'assistant',
          content: [
            { type: 'redacted_thinking', data: PACKED },
            { type: 'text', text: 'Yes' },
          ],
        },
        USER,
      ],
    },
    error: OPENAI_ERROR,
    answer: RESPONSE,
  },
  'Claude in its own dialect': {
    path: '/messages',
    body: {
      model: CLAUDE,
      max_tokens: 99,
      messages: [
        USER,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm', signature: SEALED },
            { type: 'redacted_thinking', data: SEALED },
            { type: 'text', text: 'Yes' },
          ],
        },
        USER,
      ],
    },
    error: ANTHROPIC_ERROR,
    answer: MESSAGE,
  },
};

const replay = (body: object, status = 200) =>
  provider.next({ replay: { status, body: JSON.stringify(body), contentType: 'application/json' } });
const getSent = () => provider.requests.map(({ body }) => body.toString().includes(SEALED));

describe.each(Object.entries(CASES))(
  'reasoning that is refused by %s',
  (_name, { path, body, error, answer }) => {
    // A body of more than 128 KiB is prepared by a thread.
    it.each([
      ['small', ''],
      ['large', ' '.repeat(200_000)],
    ])('is left out in a second try, %s', async (_size, blanks) => {
      replay(error, 400);
      replay(answer);
      const { secret } = await harness.createKey({ maxBudgetUsd: '100' });
      const text = JSON.stringify(body).replaceAll('"Hi"', JSON.stringify(`Hi${blanks}`));
      const response = await post(api.baseUrl + path, JSON.parse(text), { secret });
      expect({ status: response.status, text: await response.text() }).toMatchObject({
        status: 200,
        text: expect.stringContaining('Done'),
      });
      expect(getSent()).toEqual([true, false]);
      expect(response.headers.get('x-tollgate-dropped-params')).toContain('reasoning');
    });

    it('ends with the error of the provider if that does not help', async () => {
      replay(error, 400);
      replay(error, 400);
      const response = await post(api.baseUrl + path, body, { secret: harness.secret });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain(error.error.message);
      expect(getSent()).toEqual([true, false]);
    });
  },
);

it('a provider whose reasoning is refused is not paused', async () => {
  const { path, body, error, answer } = CASES['OpenAI in its own dialect'];
  for (let at = 0; at < 12; at += 1) {
    replay(error, 400);
    replay(answer);
    const response = await post(api.baseUrl + path, body, { secret: harness.secret });
    expect(response.status).toBe(200);
    await response.text();
  }
});
