/** Responses repeat members of the request: what the caller wrote is not billed as output, and does not begin a response. */
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, PRICES } from '../gateway-fixture.ts';

const RESPONSES_MODEL = 'responses-model';
const harness = await createHarness();
const { provider, database } = harness;
await ensureBuiltIn(database.db, {
  name: 'fake-openai-responses',
  dialect: 'openai-responses',
  baseUrl: `${provider.origin}/v1`,
  credentialEnv: null,
  preset: null,
  models: [{ id: RESPONSES_MODEL, upstreamModel: null, facts: {}, prices: PRICES }],
});
const api = await startTestApi({ db: database.db, runtime: 'node', attempts: 2 });
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});
beforeEach(() => provider.reset());

const WORDS = 'word '.repeat(2_000);
const ITEM = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'done', annotations: [] }],
};
const INPUT_TOKENS = 3_000;
const USAGE = { input_tokens: INPUT_TOKENS, output_tokens: 1, total_tokens: INPUT_TOKENS + 1 };

const sse = (type: string, members: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

function getResponse(repeated: object, end: object, deltas: readonly string[]): string {
  const response = { id: 'resp_1', object: 'response', model: RESPONSES_MODEL, ...repeated };
  const open = { response: { ...response, status: 'in_progress', output: [], usage: null } };
  return [
    sse('response.created', open),
    sse('response.in_progress', open),
    ...deltas.map((delta) => sse('response.output_text.delta', { item_id: 'msg_1', output_index: 0, delta })),
    sse(`response.${deltas.length === 0 ? 'failed' : 'completed'}`, { response: { ...response, ...end } }),
  ].join('');
}

const COMPLETED = { status: 'completed', output: [ITEM], usage: USAGE };
const FAILED = { status: 'failed', output: [], error: { code: 'server_error', message: 'boom' } };
const replay = (body: string) => ({ replay: { body, contentType: 'text/event-stream' } });

async function bill(path: string, body: object) {
  const response = await post(`${api.baseUrl}${path}`, { stream: true, ...body }, { secret: harness.secret });
  const text = await response.text();
  await api.deps.ledger.flush();
  const [row] = await database.db.sql<{ input: number; output: number; estimated: boolean }[]>`
    SELECT input_tokens AS input, output_tokens AS output, estimated
    FROM requests WHERE id = ${response.headers.get('x-request-id')}`;
  return { row, text };
}

const PARAMETERS = { type: 'object', properties: { p: { type: 'object', default: { delta: WORDS } } } };

it.each([
  ['metadata', { metadata: { delta: WORDS.slice(0, 500), text: WORDS.slice(0, 500) } }],
  ['a tool', { tools: [{ type: 'function', name: 'f', parameters: PARAMETERS }] }],
  ['a format', { text: { format: { type: 'json_schema', name: 'f', schema: PARAMETERS } } }],
])('bills the reported output of a response that repeats %s', async (_, repeated) => {
  provider.next(replay(getResponse(repeated, COMPLETED, ['done'])));
  const { row } = await bill('/responses', { model: RESPONSES_MODEL, input: 'x', ...repeated });
  expect(row).toEqual({ input: INPUT_TOKENS, output: 1, estimated: false });
});

it('bills the reported output of a chat completion that repeats the request', async () => {
  const metadata = { content: WORDS.slice(0, 500), reasoning: WORDS.slice(0, 500) };
  const usage = { prompt_tokens: INPUT_TOKENS, completion_tokens: 1, total_tokens: INPUT_TOKENS + 1 };
  const choice = { index: 0, delta: { content: 'done' }, finish_reason: 'stop' };
  const chunks = [
    { id: 'x', metadata, choices: [choice] },
    { id: 'x', metadata, choices: [], usage },
  ];
  const body = `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
  provider.next(replay(body));
  const messages = [{ role: 'user', content: 'x' }];
  const { row } = await bill('/chat/completions', { model: MODEL, messages, metadata });
  expect(row).toEqual({ input: INPUT_TOKENS, output: 1, estimated: false });
});

it('asks again after a failure that repeats the request before any output', async () => {
  const metadata = { delta: 'x' };
  provider.next(replay(getResponse({ metadata }, FAILED, [])));
  provider.next(replay(getResponse({ metadata }, COMPLETED, ['done'])));
  const { row, text } = await bill('/responses', { model: RESPONSES_MODEL, input: 'x', metadata });
  expect(text).not.toContain('boom');
  expect(provider.requests).toHaveLength(2);
  expect(row?.output).toBe(1);
});
