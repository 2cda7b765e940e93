/** Near a cap, the hold covers input whose tokens the text of the request does not show. */
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, PRICES } from '../gateway-fixture.ts';

const RESPONSES_MODEL = 'gpt-5.4';
const harness = await createHarness();
const { provider, database } = harness;
await ensureBuiltIn(database.db, {
  name: 'responses',
  dialect: 'openai-responses',
  baseUrl: `${provider.origin}/v1`,
  credentialEnv: null,
  preset: null,
  models: [{ id: RESPONSES_MODEL, upstreamModel: null, facts: {}, prices: PRICES }],
});
const api = await startTestApi({ db: database.db, runtime: 'node' });
beforeEach(() => provider.reset());
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

const repeat = <T>(value: T, times = 12): T[] => Array.from({ length: times }, () => value);
const URL = 'https://example.com/a.png';
const IMAGE = { type: 'input_image', image_url: URL };
const USER = { role: 'user', content: 'Hello' };
const TEXT = 'lorem ipsum dolor sit amet '.repeat(3_000);
const LABEL = { id: TEXT.slice(0, 108) };
const CALL = { type: 'custom_tool_call', call_id: 'c', name: 'view', input: '' };

/** @param budgetUsd of the key: input costs $1 and output $5 for a million tokens */
async function ask(path: string, body: object, budgetUsd: string): Promise<number> {
  const { secret } = await harness.createKey({ maxBudgetUsd: budgetUsd });
  const isResponses = path === '/responses';
  if (isResponses) {
    const usage = { input_tokens: 9, output_tokens: 1, total_tokens: 10 };
    const answer = { id: 'r', object: 'response', status: 'completed', output: [], usage };
    provider.next({ replay: { body: JSON.stringify(answer), contentType: 'application/json' } });
  }
  const common = isResponses
    ? { model: RESPONSES_MODEL, max_output_tokens: 16 }
    : { model: MODEL, max_tokens: 16, messages: [USER] };
  const response = await post(api.baseUrl + path, { ...common, ...body }, { secret });
  await response.text();
  return response.status;
}

it.each<[string, string, object]>([
  [
    'labels in an example of a tool',
    '/messages',
    { tools: [{ name: 'a', input_schema: { type: 'object' }, input_examples: repeat(LABEL, 800) }] },
  ],
  [
    'an address in a variable of a template',
    '/chat/completions',
    { chat_template_kwargs: { documents: [{ url: `https://${TEXT}` }] } },
  ],
  [
    'images of a document',
    '/messages',
    {
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              source: {
                type: 'content',
                content: repeat({ type: 'image', source: { type: 'url', url: URL } }),
              },
            },
          ],
        },
      ],
    },
  ],
  [
    'images of a custom tool',
    '/responses',
    { input: [USER, CALL, { type: 'custom_tool_call_output', call_id: 'c', output: repeat(IMAGE) }] },
  ],
  [
    'screenshots',
    '/responses',
    {
      input: [
        USER,
        ...repeat({
          type: 'computer_call_output',
          call_id: 'c',
          output: { type: 'computer_screenshot', image_url: URL },
        }),
      ],
    },
  ],
  [
    'images of an earlier response',
    '/chat/completions',
    {
      messages: [
        USER,
        { role: 'assistant', content: 'x', images: repeat({ type: 'image_url', image_url: { url: URL } }) },
        USER,
      ],
    },
  ],
  [
    'messages of the model that were joined',
    '/responses',
    {
      input: [USER, ...repeat({ role: 'assistant', content: '' }, 4_000)],
    },
  ],
  [
    'tools that the provider describes',
    '/messages',
    { tools: repeat('computer', 3).map((name, at) => ({ type: 'computer_20250124', name: `${name}${at}` })) },
  ],
  [
    'audio of a low rate',
    '/chat/completions',
    {
      messages: [
        {
          role: 'user',
          content: [{ type: 'input_audio', input_audio: { format: 'mp3', data: 'A'.repeat(800_000) } }],
        },
      ],
    },
  ],
])('a budget must pay for %s', async (_name, path, body) => {
  expect({ status: await ask(path, body, '0.01'), sent: provider.requests.length }).toEqual({
    status: 402,
    sent: 0,
  });
  expect(await ask(path, body, '1')).toBe(200);
});

it('a screenshot in the request counts as an image, not as text', async () => {
  const png = Buffer.alloc(600_000);
  png.write('\u0089PNG\r\n\u001a\n', 'latin1');
  png.writeUInt32BE(1_200, 16);
  png.writeUInt32BE(800, 20);
  const image_url = `data:image/png;base64,${png.toString('base64')}`;
  for (const item of [
    { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', image_url } },
    { type: 'custom_tool_call_output', call_id: 'c', output: [{ type: 'input_image', image_url }] },
  ])
    expect(await ask('/responses', { input: [USER, CALL, item] }, '0.01')).toBe(200);
});
