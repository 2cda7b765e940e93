import { afterAll, beforeEach, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { SECRET, startSealedProvider } from '../faults/sealed-provider.ts';
import { verifyUsage } from './verify-usage.ts';

const { api, provider, secret, sql, database, close } = await startSealedProvider();
afterAll(close);
beforeEach(() => provider.reset());

const NOTE = 'The prompt about lighthouses was expensive';
const USAGE = {
  prompt_tokens: 10,
  completion_tokens: '2',
  total_tokens: 12,
  cost: '0.0042',
  service_tier: 'default',
  key: SECRET,
  [SECRET]: 1,
  note: NOTE,
  error: { message: `Key ${SECRET} is nearly used up`, code: 'quota' },
  prompt_tokens_details: { cached_tokens: 4, trace: [NOTE, SECRET, 7] },
};
const MODEL_TEXT = { role: 'assistant', content: 'hello world' };

async function findStored(requestId: string): Promise<string> {
  const read = () =>
    sql<{ raw: string }[]>`
      SELECT raw_usage AS raw FROM requests WHERE id = ${requestId} AND state = 'settled'`;
  await expect.poll(read).toHaveLength(1);
  const [row] = await read();
  return row?.raw ?? '';
}

const WHOLE = {
  id: 'x',
  object: 'chat.completion',
  model: 'openai',
  choices: [{ index: 0, message: MODEL_TEXT, finish_reason: 'stop' }],
  usage: USAGE,
};
const CHUNK = {
  id: 'x',
  object: 'chat.completion.chunk',
  model: 'openai',
  choices: [{ index: 0, delta: MODEL_TEXT, finish_reason: 'stop' }],
  usage: USAGE,
};
const LARGE = { ...WHOLE, padding: 'x'.repeat(1024 * 1024) };

it.each([
  ['a whole response', '/chat/completions', false, JSON.stringify(WHOLE)],
  ['a whole response that is translated', '/messages', false, JSON.stringify(WHOLE)],
  ['a large response', '/chat/completions', false, JSON.stringify(LARGE)],
  ['a stream', '/chat/completions', true, `data: ${JSON.stringify(CHUNK)}\n\ndata: [DONE]\n\n`],
  ['a stream that is translated', '/messages', true, `data: ${JSON.stringify(CHUNK)}\n\ndata: [DONE]\n\n`],
])('stores no free text and no credential with the usage of %s', async (_name, path, stream, body) => {
  provider.next({ replay: { body } });
  const messages = [{ role: 'user', content: 'Write about lighthouses' }];
  const request = { model: 'openai', max_tokens: 100, messages, stream };
  const response = await post(`${api.baseUrl}${path}`, request, { secret });
  expect(response.status).toBe(200);
  await response.text();
  const stored = await findStored(response.headers.get('x-request-id') ?? '');
  expect(stored).not.toContain(SECRET);
  expect(stored).not.toContain('lighthouses');
  expect(JSON.parse(stored)).toMatchObject({
    prompt_tokens: 10,
    completion_tokens: '2',
    cost: '0.0042',
    service_tier: 'default',
    prompt_tokens_details: { cached_tokens: 4 },
  });
  const verified = await verifyUsage(database);
  expect(verified.findings).toEqual([]);
  expect(verified.compared).toBeGreaterThan(0);
});
