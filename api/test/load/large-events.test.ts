/** Large events of streams: they pass unchanged, are billed exactly, and do not block the event loop. */
import { Buffer } from 'node:buffer';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { watchTurns } from '@tollgate/testing/longest-turn';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, PRICES, type Harness } from '../gateway-fixture.ts';

const MIB = 1024 * 1024;
const RESPONSES = 'of-responses';
const CHAT = 'of-chat';
/** The longest turn of the event loop, including the work of the provider and the caller; the api alone took 1.7 s. */
const MAX_TURN_MS = 400;

const sse = (event: { type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const created = { type: 'response.created', response: { id: 'r', model: RESPONSES, output: [] } };
const usage = (tokens: number) => ({ input_tokens: 10, output_tokens: tokens, total_tokens: tokens + 10 });

/** A stream of the Responses API with log probabilities, which its last events repeat: 4 KiB for each token. */
function withLogprobs(tokens: number): Buffer {
  const chance = { token: 'hello', logprob: -0.1234, bytes: [104, 101, 108, 108, 111] };
  const logprobs = Array.from({ length: tokens }, () => ({
    ...chance,
    top_logprobs: Array.from({ length: 20 }, () => chance),
  }));
  const text = 'hello'.repeat(tokens);
  const part = { type: 'output_text', text, logprobs, annotations: [] };
  const item = { id: 'm', type: 'message', role: 'assistant', status: 'completed', content: [part] };
  const at = { item_id: 'm', output_index: 0, content_index: 0 };
  const response = { id: 'r', model: RESPONSES, status: 'completed', output: [item], usage: usage(tokens) };
  return Buffer.from(
    [
      created,
      { type: 'response.output_text.delta', ...at, delta: text, logprobs: [] },
      { type: 'response.output_text.done', ...at, text, logprobs },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ]
      .map(sse)
      .join(''),
  );
}

/** A stream with images, of which the last event repeats all. */
function withImages(images: number, more: object = {}): Buffer {
  const items = Array.from({ length: images }, (_, at) => ({
    id: `ig_${at}`,
    type: 'image_generation_call',
    status: 'completed',
    result: 'iVBORw0KGgo'.repeat(290_000),
  }));
  const done = items.map((item, at) => ({ type: 'response.output_item.done', output_index: at, item }));
  const text = 'Here are your images.';
  const content = [{ type: 'output_text', text, annotations: [] }];
  const message = { id: 'm', type: 'message', role: 'assistant', status: 'completed', content };
  const output = [...items, message];
  const response = { id: 'r', model: RESPONSES, status: 'completed', output, usage: usage(5_000), ...more };
  return Buffer.from(
    [
      created,
      ...done,
      { type: 'response.output_text.delta', item_id: 'm', output_index: images, delta: text },
      { type: 'response.output_item.done', output_index: images, item: message },
      { type: 'response.completed', response },
    ]
      .map(sse)
      .join(''),
  );
}

/** Chunks of a chat completion with log probabilities, of 3 KiB each. */
function chatWithLogprobs(tokens: number): Buffer {
  const chance = { token: 'hello', logprob: -0.1234, bytes: [104, 101, 108, 108, 111] };
  const top_logprobs = Array.from({ length: 20 }, () => chance);
  const chunk = (choice: object, usage: object | null = null) =>
    `data: ${JSON.stringify({ id: 'c', model: CHAT, choices: [{ index: 0, ...choice }], usage })}\n\n`;
  const logprobs = { content: [{ ...chance, top_logprobs }] };
  const usage = { prompt_tokens: 10, completion_tokens: tokens, total_tokens: tokens + 10 };
  return Buffer.from(
    chunk({ delta: { content: 'hello' }, logprobs }).repeat(tokens) +
      chunk({ delta: {}, finish_reason: 'stop' }, usage) +
      'data: [DONE]\n\n',
  );
}

/** Of 4,000 tokens: three events of 16 MB. */
const LOGPROBS = withLogprobs(4_000);

describe.each(['node', 'web'] as const)('a large event on the %s runtime', (runtime) => {
  let harness: Harness;
  let api: TestApi;
  beforeAll(async () => {
    harness = await createHarness([]);
    for (const [id, dialect] of [
      [RESPONSES, 'openai-responses'],
      [CHAT, 'openai-chat'],
    ] as const)
      await ensureBuiltIn(harness.database.db, {
        name: id,
        dialect,
        baseUrl: `${harness.provider.origin}/v1`,
        credentialEnv: null,
        preset: null,
        models: [{ id, upstreamModel: null, facts: {}, prices: PRICES }],
      });
    api = await startTestApi({
      db: harness.database.db,
      runtime,
      responseMemoryBytes: 96 * MIB,
      drainAfterDisconnectMs: 10_000,
    });
  });
  const open: IncomingMessage[] = [];
  beforeEach(() => harness.provider.reset());
  afterEach(async () => {
    for (const response of open.splice(0)) response.destroy();
    while (api.deps.largeAnswers.budget.usedBytes > 0) await sleep(10);
  });
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  /** Sends a request, and reads nothing of the body. */
  const ask = (body: Buffer, split: number | 'burst' = 'burst', path = '/responses', more: object = {}) => {
    harness.provider.next({ replay: { body }, split });
    return new Promise<IncomingMessage>((resolve, reject) => {
      const call = request(api.baseUrl + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${harness.secret}` },
      });
      call.once('error', reject);
      call.once('response', (response) => {
        open.push(response);
        response.on('error', () => undefined);
        resolve(response);
      });
      call.end(JSON.stringify({ model: RESPONSES, stream: true, input: 'Hello', ...more }));
    });
  };
  const recorded = async (response: IncomingMessage) => {
    await expect.poll(() => api.deps.inFlight.size, { timeout: 10_000 }).toBe(0);
    return getRecorded(response);
  };
  const getRecorded = async (response: IncomingMessage) => {
    await api.deps.ledger.flush();
    const [row] = await harness.database.db.sql`
      SELECT status, error_code AS "errorCode", output_tokens AS "outputTokens", estimated, cost_nano_usd::text AS cost
      FROM requests WHERE id = ${String(response.headers['x-request-id'])}`;
    return row;
  };
  /** Sends a request and reads the response. @returns also the longest turn of the event loop meanwhile, in milliseconds */
  const measure = async (...asked: Parameters<typeof ask>) => {
    const turns = watchTurns();
    const response = await ask(...asked);
    const bytes = await buffer(response);
    return { response, bytes, longestMs: turns.stop() };
  };

  it.each([['in a burst', 'burst'] as const, ['in small pieces', 1_400] as const])(
    'with log probabilities arrives byte by byte, %s, without a long block',
    async (_name, split) => {
      const { response, bytes, longestMs } = await measure(LOGPROBS, split);
      expect(bytes.equals(LOGPROBS)).toBe(true);
      expect(longestMs).toBeLessThan(MAX_TURN_MS);
      expect(await recorded(response)).toMatchObject({
        status: 200,
        outputTokens: 4_000,
        estimated: false,
        cost: String(10 * 1_000 + 4_000 * 5_000),
      });
    },
    60_000,
  );

  it('of 19 MB at the end of a stream does not break it, and is billed exactly', async () => {
    const body = withImages(6);
    const response = await ask(body);
    expect((await buffer(response)).equals(body)).toBe(true);
    expect(await recorded(response)).toMatchObject({
      status: 200,
      errorCode: null,
      outputTokens: 5_000,
      estimated: false,
      cost: String(10 * 1_000 + 5_000 * 5_000 + 6 * 40_000_000),
    });
  });

  it('has its errors redacted', async () => {
    const error = { message: 'The key sk-live-0123456789abcdef is wrong', detail: 'x'.repeat(MIB) };
    const response = await ask(withImages(1, { incomplete_details: { error } }));
    const text = (await buffer(response)).toString();
    expect(text).not.toContain('0123456789abcdef');
    expect(text).toContain('"The key [redacted] is wrong"');
    expect(text).not.toContain('x'.repeat(1_000));
    expect(text.split('event: ')).toHaveLength(6);
    expect(await recorded(response)).toMatchObject({ status: 200, outputTokens: 5_000, estimated: false });
  });

  it('that is an error before the first word is an error of the gateway', async () => {
    const error = { code: 'server_error', message: 'It crashed.', detail: 'x'.repeat(MIB) };
    const failed = { id: 'r', status: 'failed', error, instructions: 'y '.repeat(MIB), output: [] };
    const body = sse(created) + sse({ type: 'response.failed', response: failed } as { type: string });
    harness.provider.always({ replay: { body: Buffer.from(body) } }, { path: '/v1/responses' });
    const response = await ask(Buffer.from(body));
    expect(response.statusCode).toBe(502);
    expect((await buffer(response)).toString()).toContain('It crashed.');
  });

  it('is billed exactly if the caller disconnects in its middle', async () => {
    const response = await ask(LOGPROBS, 1024 * 1024);
    await new Promise((resolve) => {
      response.once('data', resolve);
    });
    response.destroy();
    expect(await recorded(response)).toMatchObject({
      status: 499,
      outputTokens: 4_000,
      estimated: false,
      cost: String(10 * 1_000 + 4_000 * 5_000),
    });
  });

  it('keeps its memory reserved until it is read; without memory a stream ends with an error', async () => {
    const { budget } = api.deps.largeAnswers;
    const delta = { type: 'response.output_text.delta', item_id: 'm', output_index: 0, delta: 'Here:' };
    const item = { id: 'i', type: 'image_generation_call', result: 'iVBORw0KGgo'.repeat(2 * MIB) };
    const end = { id: 'r', model: RESPONSES, status: 'completed', output: [], usage: usage(3) };
    const done = { type: 'response.output_item.done', output_index: 1, item };
    const completed = { type: 'response.completed', response: end };
    const body = Buffer.from([created, delta, done, completed].map(sse).join(''));
    const unread: IncomingMessage[] = [];
    for (let held = 1; held <= 2; held += 1) {
      unread.push(await ask(body));
      await expect.poll(() => budget.usedBytes, { timeout: 10_000 }).toBeGreaterThan(held * 22 * MIB);
    }
    const failed = await ask(body);
    const text = (await buffer(failed)).toString();
    expect(text).toContain('"delta":"Here:"');
    expect(text).not.toContain('iVBOR');
    expect(text.trimEnd().split('\n\n').at(-1)).toMatch(/^event: error\n.*no memory left/);
    expect(await getRecorded(failed)).toMatchObject({ errorCode: 'gateway_overloaded', estimated: true });
    expect(budget.usedBytes).toBeLessThanOrEqual(budget.accountBytes);
    for (const response of unread) expect((await buffer(response)).equals(body)).toBe(true);
  }, 60_000);

  it('is translated like a small one', async () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const more = { input: undefined, messages };
    const { response, bytes, longestMs } = await measure(LOGPROBS, 'burst', '/chat/completions', more);
    const texts = bytes
      .toString()
      .split('\n\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] })
      .map((chunk) => chunk.choices[0]?.delta.content ?? '');
    expect(texts.join('')).toBe('hello'.repeat(4_000));
    expect(longestMs).toBeLessThan(MAX_TURN_MS);
    expect(await recorded(response)).toMatchObject({ outputTokens: 4_000, estimated: false });
  }, 60_000);

  it('that only the translation writes does not block, and repeats what came', async () => {
    const body = chatWithLogprobs(4_000);
    const { response, bytes, longestMs } = await measure(body, 'burst', '/responses', { model: CHAT });
    const text = bytes.toString();
    const events = text.split('\n\n').map((event) => event.slice(event.indexOf('data: ') + 6));
    const lengths = events.map((event) => event.length).filter((length) => length > 2 * MIB);
    expect(lengths).toHaveLength(4);
    const last = JSON.parse(events.at(-2) ?? '') as {
      response: { output: { content: { logprobs: object[] }[] }[] };
    };
    expect(last.response.output[0]?.content[0]?.logprobs).toHaveLength(4_000);
    expect(last).toMatchObject({ response: { usage: { output_tokens: 4_000 } } });
    expect(longestMs).toBeLessThan(MAX_TURN_MS);
    expect(await recorded(response)).toMatchObject({ outputTokens: 4_000, estimated: false });
  }, 60_000);
});
