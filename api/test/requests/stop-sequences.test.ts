/** Stop sequences for providers that take none: the gateway ends the response itself. */
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, PRICES, type Harness } from '../gateway-fixture.ts';

const MODEL = 'writes-on';
const PIECES = ['I count now. Obser', 'vation: 3', '. More text'];
const MESSAGE = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: PIECES.join(''), annotations: [], logprobs: [] }],
};
const CALL = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'read_file',
  arguments: '{}',
  status: 'completed',
};
const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output: [MESSAGE, CALL],
  usage: { input_tokens: 10, output_tokens: 20, total_tokens: 30 },
};
const ANSWER = 'I count now. ';

function writeStream(): string {
  const item = { output_index: 0, item_id: 'msg_1', content_index: 0 };
  const text = PIECES.join('');
  const events = [
    { type: 'response.created', response: { ...RESPONSE, status: 'in_progress', output: [], usage: null } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...MESSAGE, status: 'in_progress', content: [] },
    },
    {
      type: 'response.content_part.added',
      ...item,
      part: { type: 'output_text', text: '', annotations: [] },
    },
    ...PIECES.map((delta) => ({ type: 'response.output_text.delta', ...item, delta })),
    { type: 'response.output_text.done', ...item, text },
    { type: 'response.content_part.done', ...item, part: MESSAGE.content[0] },
    { type: 'response.output_item.done', output_index: 0, item: MESSAGE },
    {
      type: 'response.output_item.added',
      output_index: 1,
      item: { ...CALL, arguments: '', status: 'in_progress' },
    },
    { type: 'response.function_call_arguments.delta', output_index: 1, item_id: 'fc_1', delta: '{}' },
    { type: 'response.function_call_arguments.done', output_index: 1, item_id: 'fc_1', arguments: '{}' },
    { type: 'response.output_item.done', output_index: 1, item: CALL },
    { type: 'response.completed', response: RESPONSE },
  ];
  return events
    .map(
      (event, at) => `event: ${event.type}\ndata: ${JSON.stringify({ sequence_number: at, ...event })}\n\n`,
    )
    .join('');
}

let harness: Harness;
let api: TestApi;
let secret: string;
beforeAll(async () => {
  harness = await createHarness([]);
  await ensureBuiltIn(harness.database.db, {
    name: 'responses-only',
    dialect: 'openai-responses',
    baseUrl: `${harness.provider.origin}/v1`,
    credentialEnv: null,
    preset: null,
    models: [{ id: MODEL, upstreamModel: 'gpt-5.4', facts: {}, prices: PRICES }],
  });
  api = await startTestApi({ db: harness.database.db, runtime: 'node', attempts: 2 });
  const { accountId } = await createAccountFixture(harness.database.db);
  ({ secret } = await createKeyFixture(harness.database.db, accountId));
});
beforeEach(() => harness.provider.reset());
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

const FORMS = [
  {
    endpoint: 'chat/completions',
    body: { messages: [{ role: 'user', content: 'Hi' }], stop: ['\n\nHuman', 'Observation:'] },
    // Chat completions do not say which sequence it was.
    ended: /"finish_reason":"stop"/,
  },
  {
    endpoint: 'messages',
    body: {
      messages: [{ role: 'user', content: 'Hi' }],
      max_tokens: 500,
      stop_sequences: ['Observation:'],
    },
    ended: /"stop_reason":"stop_sequence","stop_sequence":"Observation:"/,
  },
] as const;

async function ask(endpoint: string, body: object, stream: boolean) {
  harness.provider.always({ replay: { body: stream ? writeStream() : JSON.stringify(RESPONSE) }, split: 7 });
  const response = await post(`${api.baseUrl}/${endpoint}`, { model: MODEL, ...body, stream }, { secret });
  const text = await response.text();
  return {
    status: response.status,
    text,
    dropped: response.headers.get('x-tollgate-dropped-params'),
    requestId: response.headers.get('x-request-id') ?? '',
  };
}

describe.each(FORMS)('stop sequences of $endpoint', ({ endpoint, body, ended }) => {
  it.each([true, false])('end the response at the first one, streamed: %s', async (stream) => {
    const { status, text, dropped, requestId } = await ask(endpoint, body, stream);
    expect(status).toBe(200);
    expect(text).toMatch(ended);
    expect(text).not.toMatch(/: 3|More|read_file/);
    expect(joinTexts(text)).toBe(ANSWER);
    expect(dropped).toBeNull();
    const [sent] = harness.provider.requests;
    expect(sent?.body.toString()).not.toContain('Observation');
    // The provider wrote all of it.
    await expect.poll(() => readSettled(requestId)).toEqual({ input: 10, output: 20, estimated: false });
  });

  it('are found in a response to a large request', async () => {
    const messages = [{ role: 'user', content: 'word '.repeat(60_000) }];
    const { status, text } = await ask(endpoint, { ...body, messages }, true);
    expect(status).toBe(200);
    expect(joinTexts(text)).toBe(ANSWER);
  });

  it('that are too many or too long are refused', async () => {
    const name = endpoint === 'messages' ? 'stop_sequences' : 'stop';
    const { status, text } = await ask(endpoint, { ...body, [name]: ['x'.repeat(257)] }, false);
    expect(status).toBe(400);
    expect(text).toContain('at most 16 of 256 characters');
    expect(harness.provider.requests).toHaveLength(0);
  });
});

function joinTexts(text: string): string {
  const found = text.matchAll(/"(?:text|content)":("(?:[^"\\]|\\.)*")/g);
  return [...found].map(([, value]) => String(JSON.parse(value ?? '""'))).join('');
}

async function readSettled(requestId: string) {
  const { sql } = harness.database.db;
  const [row] = await sql`
    SELECT input_tokens AS input, output_tokens AS output, estimated FROM requests
    WHERE id = ${requestId} AND state = 'settled'`;
  return row === undefined ? null : { ...row };
}
