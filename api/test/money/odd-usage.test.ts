import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeDialect } from '@tollgate/testing/fake-provider/script';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyUsage } from './verify-usage.ts';
import { MODEL, startGateway } from '../gateway-fixture.ts';

const gateway = await startGateway();
const { provider, baseUrl, secret, database } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(() => provider.reset());

const DIALECTS: readonly FakeDialect[] = ['openai-chat', 'anthropic-messages'];
const PROMPT = 'What does a lighthouse keeper do all day? '.repeat(10);
const PROMPT_TOKENS = Math.ceil(PROMPT.length / 4);
const TEXT = 'hello world';
const LONG_TEXT = Array.from({ length: 100 }, (_, index) => `word${index}`).join(' ');

interface Recorded {
  input: number;
  output: number;
  estimated: boolean;
}

async function recorded(requestId: string): Promise<Recorded> {
  const deadlineMs = performance.now() + 5_000;
  for (;;) {
    const [row] = await database.db.sql<Recorded[]>`
      SELECT input_tokens AS input, output_tokens AS output, estimated FROM requests
      WHERE id = ${requestId} AND state = 'settled'`;
    if (row !== undefined) return row;
    if (performance.now() > deadlineMs) throw new Error(`${requestId} was not recorded`);
    await sleep(20);
  }
}

async function ask(dialect: FakeDialect, stream: boolean, body: string): Promise<Recorded> {
  provider.next({ replay: { body } });
  const response = await fetch(`${baseUrl}${dialect === 'openai-chat' ? '/chat/completions' : '/messages'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify({
      model: MODEL,
      max_tokens: 1_000,
      messages: [{ role: 'user', content: PROMPT }],
      stream,
    }),
  });
  expect(response.status).toBe(200);
  await response.text();
  return recorded(response.headers.get('x-request-id') ?? '');
}

const sse = (...events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

/** A response with that text and usage object, in the provider's dialect. */
function createWhole(dialect: FakeDialect, text: string, usage: object | null, more: object = {}): string {
  return JSON.stringify(
    dialect === 'openai-chat'
      ? {
          id: 'x',
          object: 'chat.completion',
          model: MODEL,
          choices: [
            { index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop', ...more },
          ],
          ...(usage !== null && { usage }),
        }
      : {
          id: 'x',
          type: 'message',
          role: 'assistant',
          model: MODEL,
          content: [{ type: 'text', text }],
          stop_reason: 'end_turn',
          ...(usage !== null && { usage }),
        },
  );
}

function createStream(dialect: FakeDialect, text: string, usage: object | null, lateText = ''): string {
  if (dialect === 'openai-chat') {
    const delta = (content: string) => ({ id: 'x', choices: [{ index: 0, delta: { content } }] });
    return `${sse(
      delta(text),
      ...(usage === null ? [] : [{ id: 'x', choices: [], usage }]),
      ...(lateText === '' ? [] : [delta(lateText)]),
      { id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    )}data: [DONE]\n\n`;
  }
  const named = (event: { type: string }) => `event: ${event.type}\n${sse(event)}`;
  const delta = (said: string) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: said },
  });
  return [
    { type: 'message_start', message: { id: 'x', type: 'message', role: 'assistant', content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    delta(text),
    ...(usage === null ? [] : [{ type: 'message_delta', delta: {}, usage }]),
    ...(lateText === '' ? [] : [delta(lateText)]),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ]
    .map(named)
    .join('');
}

const cases = DIALECTS.flatMap((dialect) => [true, false].map((stream) => ({ dialect, stream })));

describe.each(cases)('usage of $dialect (stream: $stream)', ({ dialect, stream }) => {
  const answer = (text: string, usage: object | null) =>
    ask(dialect, stream, stream ? createStream(dialect, text, usage) : createWhole(dialect, text, usage));

  it.each<[string, object]>([
    ['strings', { prompt_tokens: '200', completion_tokens: '3' }],
    ['floats', { prompt_tokens: 200.0, completion_tokens: 3.0 }],
    ['the names of the Messages API', { input_tokens: 200, output_tokens: 3 }],
    ['the names of chat completions', { prompt_tokens: 200, completion_tokens: 3, total_tokens: 203 }],
    ['camel case', { promptTokens: 200, completionTokens: 3 }],
    ['the names of Gemini', { promptTokenCount: 200, candidatesTokenCount: 3, totalTokenCount: 203 }],
  ])('is read if it is written as %s', async (_, usage) => {
    expect(await answer(TEXT, usage)).toEqual({ input: 200, output: 3, estimated: false });
  });

  it.each<[string, object | null]>([
    ['missing', null],
    ['empty', {}],
    ['nothing but null', { prompt_tokens: null, completion_tokens: null }],
    ['zero', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
    ['negative', { prompt_tokens: -200, completion_tokens: -3 }],
    ['absurd', { prompt_tokens: 1e15, completion_tokens: 1e15 }],
    ['words', { prompt_tokens: 'many', completion_tokens: 'few' }],
  ])('is estimated from the content if it is %s', async (_, usage) => {
    const { input, output, estimated } = await answer(TEXT, usage);
    expect(estimated).toBe(true);
    expect(output).toBe(Math.ceil(TEXT.length / 4));
    expect(Math.abs(input - PROMPT_TOKENS)).toBeLessThan(10);
  });

  it('is estimated if the reported output is far less than was delivered', async () => {
    const { output, estimated } = await answer(LONG_TEXT, { prompt_tokens: 200, completion_tokens: 2 });
    expect(estimated).toBe(true);
    expect(output).toBe(Math.ceil(LONG_TEXT.length / 4));
  });
});

describe('a response', () => {
  it.each(DIALECTS)('of %s is billed for text that comes after its usage', async (dialect) => {
    const usage = { prompt_tokens: 200, completion_tokens: 3 };
    const { output, estimated } = await ask(dialect, true, createStream(dialect, TEXT, usage, LONG_TEXT));
    expect(estimated).toBe(true);
    // The report covers the first text.
    expect(output).toBeGreaterThanOrEqual(2 + Math.ceil(LONG_TEXT.length / 4));
    expect(output).toBeLessThanOrEqual(4 + Math.ceil(LONG_TEXT.length / 4));
  });

  it('is estimated by its content, not by its log probabilities', async () => {
    const token = { token: 'hello', logprob: -0.1, bytes: [104, 101, 108, 108, 111] };
    const logprobs = { content: [{ ...token, top_logprobs: Array.from({ length: 20 }, () => token) }] };
    const body = createWhole('openai-chat', TEXT, null, { logprobs });
    expect(await ask('openai-chat', false, body)).toMatchObject({ output: 3, estimated: true });
  });
});

it('stored usage reports decode to the billed usage in all of these cases', async () => {
  const { compared = 0, ...rest } = await verifyUsage(database);
  expect(rest).toEqual({ findings: [], absent: 0, truncated: 0, unreadable: 0 });
  expect(compared).toBeGreaterThan(10);
});
