import { createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, expect, it } from 'vitest';
import { post } from '../testing/call-api.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createStage, MODEL } from './gateway-fixture.ts';

const stage = await createStage();
const { db } = stage.database;
// Its provider speaks chat completions alone: the other dialects are translated.
await db.sql`DELETE FROM routes WHERE provider_id IN (SELECT id FROM providers WHERE dialect <> 'openai-chat')`;
const { secret } = await createKeyFixture(db, stage.accountId);
const api = await startTestApi({ db, runtime: 'node' });

afterAll(async () => {
  await api.close();
  await stage[Symbol.asyncDispose]();
});

const STREAM = [
  '{"id":"x","choices":[{"index":0,"delta":{"role":"assistant","content":"Hello"}}]}',
  '{"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
  '[DONE]',
  '{"id":"x","choices":[],"usage":{"prompt_tokens":20,"completion_tokens":4000,"total_tokens":4020}}',
]
  .map((data) => `data: ${data}\n\n`)
  .join('');

it.each([
  ['/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
  ['/messages', { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5_000 }],
  ['/responses', { input: 'Hi' }],
])('usage that comes after the terminator is billed: %s', async (path, asked) => {
  stage.provider.always({ replay: { body: STREAM }, split: 'natural', intervalMs: 20 });
  const response = await post(`${api.baseUrl}${path}`, { model: MODEL, stream: true, ...asked }, { secret });
  const text = await response.text();
  await api.deps.ledger.flush();
  const [row] = await db.sql<{ output: number; estimated: boolean }[]>`
    SELECT output_tokens AS output, estimated FROM requests WHERE id = ${response.headers.get('x-request-id')}`;
  expect(row).toEqual({ output: 4000, estimated: false });
  // Nothing follows the end of the caller's dialect.
  if (path === '/messages') expect(text).toMatch(/event: message_stop\ndata: [^\n]*\n\n$/);
  if (path === '/responses') expect(text.match(/response\.completed/g)?.length).toBeGreaterThan(0);
});
