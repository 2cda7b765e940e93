import type { CompletionEvent } from '@tollgate/core/completion/events';
import { describe, expect, it } from 'vitest';
import { encodeSignature } from '../thinking-signature.ts';
import { createOpenAiChatStreamEncoder } from './encode-stream.ts';

const CONTEXT = {
  requestId: 'req_1',
  model: 'public-name',
  nowSeconds: 9,
  estimatedInputTokens: 5,
  wantsStreamUsage: false,
};
const USAGE = {
  inputTokens: 3,
  cacheReadTokens: 2,
  cacheWriteTokens: 1,
  outputTokens: 4,
  reasoningTokens: 1,
  cacheWrite1hTokens: 0,
};
const START: CompletionEvent = { type: 'start', id: 'msg_1', model: 'x', createdAt: null, usage: USAGE };
const at = (block: number) => ({ choice: 0, block });
const FINISH: CompletionEvent = { type: 'finish', choice: 0, reason: { type: 'stop' } };

function encode(events: CompletionEvent[], context: Partial<typeof CONTEXT> = {}) {
  const encoder = createOpenAiChatStreamEncoder({ ...CONTEXT, ...context });
  const text = events.map((event) => encoder.push(event)).join('');
  const data = text.split('\n\n').filter((line) => line.startsWith('data: {'));
  return { text, chunks: data.map((line) => JSON.parse(line.slice('data: '.length))) };
}

const getDeltas = (events: CompletionEvent[]) =>
  encode([START, ...events]).chunks.map((chunk) => chunk.choices[0].delta);

describe('createOpenAiChatStreamEncoder', () => {
  it('opens with the role, and ends with the reason and the terminator', () => {
    const { text, chunks } = encode([
      START,
      { type: 'block_start', ...at(0), start: { type: 'text' } },
      { type: 'text_delta', ...at(0), text: 'Hi "there"\n' },
      { type: 'block_end', ...at(0) },
      FINISH,
      { type: 'end' },
    ]);
    const chunk = (delta: unknown, reason: string | null = null) => ({
      id: 'msg_1',
      object: 'chat.completion.chunk',
      created: 9,
      model: 'public-name',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
    });
    expect(chunks).toEqual([
      chunk({ role: 'assistant', content: '', refusal: null }),
      chunk({ content: 'Hi "there"\n' }),
      chunk({}, 'stop'),
    ]);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('sends usage only if the caller requested it', () => {
    const { chunks } = encode([START, FINISH, { type: 'end' }], { wantsStreamUsage: true });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 6,
        completion_tokens: 4,
        total_tokens: 10,
        prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 1 },
        completion_tokens_details: { reasoning_tokens: 1 },
      },
    });
    expect(encode([START, FINISH, { type: 'end' }]).text).not.toContain('usage');
  });

  it('numbers tool calls among themselves', () => {
    expect(
      getDeltas([
        { type: 'block_start', ...at(0), start: { type: 'text' } },
        { type: 'block_end', ...at(0) },
        { type: 'block_start', ...at(1), start: { type: 'tool_call', id: 'a', name: 'f' } },
        { type: 'block_start', ...at(2), start: { type: 'tool_call', id: 'b', name: 'g' } },
        { type: 'arguments_delta', ...at(2), json: '{}' },
        { type: 'arguments_delta', ...at(1), json: '{"x"' },
      ]).slice(1),
    ).toEqual([
      { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }] },
      { tool_calls: [{ index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"x"' } }] },
    ]);
  });

  it('streams reasoning, and sends all of it with its signatures once, at the end', () => {
    const deltas = getDeltas([
      { type: 'block_start', ...at(0), start: { type: 'thinking' } },
      { type: 'thinking_delta', ...at(0), text: 'h' },
      { type: 'thinking_delta', ...at(0), text: 'm' },
      { type: 'signature', ...at(0), signature: 'S' },
      { type: 'block_end', ...at(0) },
      { type: 'block_start', ...at(1), start: { type: 'redacted_thinking', data: 'R' } },
      { type: 'block_end', ...at(1) },
      { type: 'block_start', ...at(2), start: { type: 'text' } },
      { type: 'text_delta', ...at(2), text: 'So' },
      { type: 'block_end', ...at(2) },
      FINISH,
    ]);
    const format = 'anthropic-claude-v1';
    expect(deltas.slice(1)).toEqual([
      { reasoning_content: 'h' },
      { reasoning_content: 'm' },
      { content: 'So' },
      {
        reasoning_details: [
          { type: 'reasoning.text', text: 'hm', signature: 'S', format, index: 0 },
          { type: 'reasoning.encrypted', data: 'R', format, index: 1 },
        ],
      },
      {},
    ]);
  });

  // The OpenAI SDK for Python raises if some entries of a list have an index and others do not.
  it('numbers all reasoning, of any source', () => {
    const sealed = { type: 'reasoning.encrypted', data: 'E', id: 'rs_1', format: 'openai-responses-v1' };
    const deltas = getDeltas([
      { type: 'block_start', ...at(0), start: { type: 'redacted_thinking', data: 'R' } },
      { type: 'block_end', ...at(0) },
      { type: 'block_start', ...at(1), start: { type: 'redacted_thinking', data: encodeSignature(sealed) } },
      { type: 'block_end', ...at(1) },
      FINISH,
    ]);
    const format = 'anthropic-claude-v1';
    expect(deltas).toContainEqual({
      reasoning_details: [
        { type: 'reasoning.encrypted', data: 'R', format, index: 0 },
        { ...sealed, index: 1 },
      ],
    });
  });

  it('cites by the place of the text in the whole content', () => {
    const citation = {
      citedText: 'c',
      title: 'T',
      url: 'https://e.com',
      start: null,
      end: null,
      original: {},
    };
    const end: CompletionEvent[] = [{ type: 'block_end', ...at(1) }, FINISH];
    const call: CompletionEvent[] = [
      { type: 'block_start', ...at(2), start: { type: 'tool_call', id: 'c', name: 'f' } },
      { type: 'block_end', ...at(2) },
    ];
    const deltas = (events: CompletionEvent[]) =>
      getDeltas([
        { type: 'block_start', ...at(0), start: { type: 'text' } },
        { type: 'citation', ...at(0), citation },
        { type: 'text_delta', ...at(0), text: 'One. ' },
        { type: 'block_end', ...at(0) },
        { type: 'block_start', ...at(1), start: { type: 'text' } },
        { type: 'citation', ...at(1), citation },
        { type: 'citation', ...at(1), citation: { ...citation, url: null } },
        { type: 'text_delta', ...at(1), text: 'Two.' },
        ...events,
      ]);
    const cite = (start: number, stop: number) => ({
      type: 'url_citation',
      url_citation: { url: 'https://e.com', title: 'T', start_index: start, end_index: stop, content: 'c' },
    });
    // One list: the OpenAI SDK for Python raises at a second one.
    const annotations = [cite(0, 5), cite(5, 9)];
    const lists = (events: CompletionEvent[]) =>
      deltas(events).filter((delta) => 'annotations' in Object(delta));
    expect(lists(end)).toEqual([{ annotations }]);
    expect(lists([{ type: 'block_end', ...at(1) }, ...call, FINISH])).toEqual([{ annotations }]);
    const called = deltas([{ type: 'block_end', ...at(1) }, ...call, FINISH]);
    expect(called.findIndex((delta) => 'annotations' in Object(delta))).toBeLessThan(
      called.findIndex((delta) => 'tool_calls' in Object(delta)),
    );
  });

  it('writes an error without a terminator, and nothing after it', () => {
    const error: CompletionEvent = { type: 'error', kind: 'overloaded_error', message: 'Busy', code: null };
    const { text, chunks } = encode([START, error, FINISH, { type: 'end' }]);
    expect(chunks).toEqual([
      { error: { message: 'Busy', type: 'server_error', param: null, code: 'upstream_overloaded' } },
    ]);
    expect(text).not.toContain('[DONE]');
    const secret = encode([
      {
        type: 'error',
        kind: 'authentication_error',
        message: 'Key sk-abc is wrong',
        code: 'invalid_api_key',
      },
    ]);
    expect(secret.text).not.toMatch(/sk-abc|invalid_api_key/);
  });

  it('keeps a silent connection with a comment line, and without an empty event', () => {
    expect(encode([{ type: 'ping' }]).text).toBe(': ping\n');
  });

  it('names the stop sequence with the reason', () => {
    const reason = { type: 'stop_sequence' as const, sequence: 'END' };
    expect(encode([START, { type: 'finish', choice: 0, reason }]).chunks.at(-1)?.choices[0]).toMatchObject({
      finish_reason: 'stop',
      stop_reason: 'END',
    });
  });
});
