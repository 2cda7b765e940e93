import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { TESTED_ENDPOINTS, type TestedEndpoint } from '../tested-endpoints.ts';

const DIALECTS = ['openai-chat', 'anthropic-messages', 'openai-responses'] as const;
type Dialect = (typeof DIALECTS)[number];

const database = await createTestDatabase();
const { sql } = database.db;
const first = await createFakeProvider();
const second = await createFakeProvider();
const { accountId } = await createAccountFixture(database.db);
const { secret } = await createKeyFixture(database.db, accountId, {});

for (const dialect of DIALECTS)
  await sql`INSERT INTO providers (id, name, dialect, base_url)
    VALUES (${`prov_${dialect}`}, ${`first-${dialect}`}, ${dialect}, ${`${first.origin}/v1`})`;
await sql`INSERT INTO providers (id, name, dialect, base_url)
  VALUES ('prov_second', 'second', 'openai-chat', ${`${second.origin}/v1`})`;
for (const dialect of DIALECTS)
  for (const kind of ['backed', 'alone']) {
    const model = `${dialect}-${kind}`;
    await sql`INSERT INTO models (id) VALUES (${model})`;
    await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
      VALUES (${model}, 1000000000, 2000000000, now() - interval '1 minute')`;
    await sql`INSERT INTO routes (id, model_id, provider_id, priority)
      VALUES (${`route_${model}`}, ${model}, ${`prov_${dialect}`}, 0)`;
    if (kind === 'backed')
      await sql`INSERT INTO routes (id, model_id, provider_id, priority)
        VALUES (${`route_${model}_2`}, ${model}, 'prov_second', 1)`;
  }
const options = {
  db: database.db,
  runtime: 'node',
  attempts: 2,
  timeouts: { idleMs: 400, firstByteMs: 400 },
} as const;
const api = await startTestApi({ ...options, tickMs: 50 });
/** With the usual time until a ping. */
const calmApi = await startTestApi(options);

afterEach(() => {
  first.reset();
  second.reset();
});
afterAll(async () => {
  await api.close();
  await calmApi.close();
  for (const each of [first, second, database]) await each[Symbol.asyncDispose]();
});

const event = (data: { type: string } & Record<string, unknown>) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'in_progress',
  output: [],
  tools: [],
};
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
};

/** What a provider may send before the model writes. */
const OPENINGS: Record<Dialect, string[]> = {
  'openai-chat': [
    ': OPENROUTER PROCESSING\n\n',
    'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}\n\n',
    ': OPENROUTER PROCESSING\n\n',
    'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[]}\n\n',
  ],
  'anthropic-messages': [
    event({ type: 'message_start', message: { ...MESSAGE, usage: { input_tokens: 9, output_tokens: 1 } } }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    event({ type: 'ping' }),
  ],
  'openai-responses': [
    event({ type: 'response.created', sequence_number: 0, response }),
    event({
      type: 'response.in_progress',
      sequence_number: 1,
      response: { ...response, instructions: 'x'.repeat(100_000) },
    }),
    event({
      type: 'response.output_item.added',
      sequence_number: 2,
      output_index: 0,
      item: { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] },
    }),
  ],
};

/** What begins a response although it has no text. */
const CONTENT: Record<Dialect, string> = {
  'openai-chat':
    'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"look","arguments":""}}]},"finish_reason":null}]}\n\n',
  'anthropic-messages': event({
    type: 'content_block_start',
    index: 1,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
  }),
  'openai-responses': event({
    type: 'response.output_item.added',
    sequence_number: 3,
    output_index: 1,
    item: { id: 'rs_1', type: 'reasoning', summary: [] },
  }),
};

function getUsageOption({ dialect }: TestedEndpoint) {
  return dialect === 'openai-chat' ? { stream_options: { include_usage: true } } : {};
}

function send(endpoint: TestedEndpoint, model: string, { baseUrl } = api): Promise<Response> {
  const said = { role: 'user', content: 'Say a lot.' };
  const body =
    endpoint.dialect === 'openai-responses'
      ? { input: [said] }
      : { messages: [said], max_tokens: 500, ...getUsageOption(endpoint) };
  return fetch(baseUrl + endpoint.path, {
    method: 'POST',
    headers: endpoint.headers(secret),
    body: JSON.stringify({ model, ...body, stream: true }),
  });
}

async function findRecord(answer: Response) {
  const id = answer.headers.get('x-request-id');
  const find = () => sql`
    SELECT status, error_code AS "errorCode", provider, output_tokens AS "outputTokens"
    FROM requests WHERE id = ${id} AND status IS NOT NULL`;
  await expect.poll(async () => (await find()).length).toBe(1);
  return (await find())[0];
}

const cells = DIALECTS.flatMap((dialect) =>
  TESTED_ENDPOINTS.map((endpoint) => ({ dialect, endpoint, to: endpoint.dialect })),
);

describe.each(cells)('a stream of $dialect to $to', ({ dialect, endpoint }) => {
  const replay = (events: readonly string[]) => ({
    replay: { body: events.join(''), contentType: 'text/event-stream' },
    stallAfterBytes: Buffer.byteLength(events.join('')),
  });

  it('can still fail over while nothing of the response has come, however long that takes', async () => {
    first.next(replay(OPENINGS[dialect]));
    const answer = await send(endpoint, `${dialect}-backed`);
    const text = await answer.text();
    expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
    expect(text).toContain('ping');
    expect(text).not.toContain('OPENROUTER');
    expect(endpoint.checkStream(text, { ending: 'whole', wantsUsage: true })).toEqual([]);
    const { outputTokens } = second.requests[0]?.usage ?? {};
    expect(await findRecord(answer)).toMatchObject({
      status: 200,
      errorCode: null,
      provider: 'second',
      outputTokens,
    });
  });

  it('ends with an error event if no other route is left after it has started with a ping', async () => {
    first.next(replay(OPENINGS[dialect]));
    const answer = await send(endpoint, `${dialect}-alone`);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toMatch(/"(?:upstream_timeout|timeout_error)"/);
    expect(text).not.toMatch(/message_start|response\.created|chat\.completion\.chunk/);
    expect(await findRecord(answer)).toMatchObject({ status: 200, errorCode: 'upstream_timeout' });
  });

  it('has an error status if the provider fails soon', async () => {
    first.always({ ...replay(OPENINGS[dialect]), stallMs: 10 });
    const answer = await send(endpoint, `${dialect}-alone`, calmApi);
    expect(answer.status).toBe(502);
    await answer.text();
  });

  it('begins with a tool call or reasoning, also without text', async () => {
    first.next(replay([...OPENINGS[dialect], CONTENT[dialect]]));
    const answer = await send(endpoint, `${dialect}-backed`);
    const text = await answer.text();
    expect(second.requests).toHaveLength(0);
    // Reasoning without text has no event in the other dialects.
    if (dialect !== 'openai-responses' || dialect === endpoint.dialect)
      expect(text).toMatch(/look|reasoning/);
  });
});
