import type { CompletionEvent } from '@tollgate/core/completion/events';
import { assembleCompletion } from '@tollgate/testing/assemble-completion';
import { describe, expect, it } from 'vitest';
import { createAnthropicStreamDecoder } from './decode-stream.ts';

const USAGE = { input_tokens: 10, output_tokens: 1 };
const start = { type: 'message_start', message: { id: 'msg_1', model: 'm', content: [], usage: USAGE } };
const open = (index: number, block: object) => ({ type: 'content_block_start', index, content_block: block });
const delta = (index: number, members: object) => ({ type: 'content_block_delta', index, delta: members });
const input = (index: number, json: string) => delta(index, { type: 'input_json_delta', partial_json: json });
const close = (index: number) => ({ type: 'content_block_stop', index });
const stop = { type: 'message_stop' };
const ending = (reason: string, members: object = {}, usage: object = { output_tokens: 7 }) => [
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null, ...members }, usage },
  stop,
];

function decode(...sent: object[]): CompletionEvent[] {
  const decoder = createAnthropicStreamDecoder();
  const events = sent.flatMap((data) => decoder.push({ event: null, data: JSON.stringify(data) }));
  return [...events, ...decoder.finish()];
}

const getParts = (...sent: object[]) => assembleCompletion(decode(start, ...sent)).choices[0]?.content;

describe('createAnthropicStreamDecoder', () => {
  it('ends an answer without content and stop reason', () => {
    expect(assembleCompletion(decode(start, ...ending('end_turn')))).toMatchObject({
      choices: [{ content: [], finish: { type: 'stop' } }],
      usage: { inputTokens: 10, outputTokens: 7 },
    });
  });

  it.each([
    ['content', open(0, { type: 'text', text: '' })],
    ['its end', stop],
  ])('fails if %s comes before the start of the message', (_name, early) => {
    expect(decode({ type: 'ping' }, early, start).map(({ type }) => type)).toEqual(['ping', 'error']);
  });

  it('starts once, and reads no usage of another message after its end', () => {
    const { usage } = assembleCompletion(decode(start, start, ...ending('end_turn'), start));
    expect(usage).toMatchObject({ inputTokens: 10, outputTokens: 7 });
    expect(decode(start, start, stop).filter(({ type }) => type === 'start')).toHaveLength(1);
  });

  it('relays arguments immediately, and gives a call without arguments an empty object', () => {
    const tool = { type: 'tool_use', id: 'a', name: 'f', input: {} };
    const events = decode(start, open(0, tool), input(0, ''), input(0, '{"x'), input(0, '":1}'), close(0));
    expect(events.filter(({ type }) => type === 'arguments_delta')).toMatchObject([
      { json: '{"x' },
      { json: '":1}' },
    ]);
    expect(getParts(open(0, tool), input(0, ''), close(0), ...ending('tool_use'))).toMatchObject([
      { arguments: '{}' },
    ]);
    const whole = { ...tool, input: { y: 2 } };
    expect(getParts(open(0, whole), close(0), ...ending('tool_use'))).toMatchObject([
      { arguments: '{"y":2}' },
    ]);
  });

  it('keeps reasoning, its signatures and citations', () => {
    const cited = { type: 'char_location', cited_text: 'x', document_index: 0, document_title: 'T' };
    expect(
      getParts(
        open(0, { type: 'thinking', thinking: '', signature: '' }),
        delta(0, { type: 'thinking_delta', thinking: 'hm' }),
        delta(0, { type: 'signature_delta', signature: 'SIG' }),
        close(0),
        open(1, { type: 'redacted_thinking', data: 'DATA' }),
        close(1),
        open(2, { type: 'text', text: '', citations: [] }),
        delta(2, { type: 'citations_delta', citation: cited }),
        delta(2, { type: 'text_delta', text: 'So' }),
        close(2),
        ...ending('end_turn'),
      ),
    ).toMatchObject([
      { type: 'thinking', text: 'hm', signature: 'SIG' },
      { type: 'redacted_thinking', data: 'DATA' },
      { type: 'text', text: 'So', citations: [{ citedText: 'x', title: 'T', original: cited }] },
    ]);
  });

  it('returns blocks of hosted tools whole, with the input that came in fragments', () => {
    const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    expect(
      getParts(open(0, search), input(0, '{"query"'), input(0, ':"x"}'), close(0), ...ending('pause_turn')),
    ).toMatchObject([
      { type: 'opaque', name: 'server_tool_use', value: { ...search, input: { query: 'x' } } },
    ]);
  });

  it('lays the cumulative usage of the end over that of the start', () => {
    const first = {
      ...USAGE,
      cache_read_input_tokens: 3,
      cache_creation: { ephemeral_1h_input_tokens: 4, ephemeral_5m_input_tokens: 2 },
    };
    const opening = { ...start, message: { ...start.message, usage: first } };
    const last = { input_tokens: 12, output_tokens: 9, output_tokens_details: { thinking_tokens: 5 } };
    expect(assembleCompletion(decode(opening, ...ending('end_turn', {}, last))).usage).toEqual({
      inputTokens: 12,
      cacheReadTokens: 3,
      cacheWriteTokens: 2,
      outputTokens: 9,
      reasoningTokens: 5,
      cacheWrite1hTokens: 4,
    });
  });

  it.each([
    ['max_tokens', {}, { type: 'length' }],
    ['stop_sequence', { stop_sequence: 'END' }, { type: 'stop_sequence', sequence: 'END' }],
    ['pause_turn', {}, { type: 'pause' }],
    ['model_context_window_exceeded', {}, { type: 'context_length' }],
    ['something_new', {}, { type: 'stop' }],
  ])('reads the reason %s', (reason, members, finish) => {
    expect(assembleCompletion(decode(start, ...ending(reason, members))).choices[0]?.finish).toEqual(finish);
  });

  it('reports why a model refused as a refusal', () => {
    const details = { stop_details: { type: 'refusal', category: 'bio', explanation: 'No.' } };
    expect(assembleCompletion(decode(start, ...ending('refusal', details))).choices).toEqual([
      { content: [{ type: 'refusal', text: 'No.' }], finish: { type: 'refusal' } },
    ]);
  });

  it("ends with the provider's error, and hears nothing but usage after it", () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const events = decode(
      start,
      open(0, { type: 'text', text: 'Hi' }),
      error,
      close(0),
      ...ending('end_turn'),
    );
    expect(events.slice(-3)).toMatchObject([
      { type: 'text_delta', choice: 0, block: 0, text: 'Hi' },
      { type: 'error', kind: 'overloaded_error', message: 'Overloaded' },
      { type: 'usage' },
    ]);
  });

  it('takes garbage and an early close for errors', () => {
    const decoder = createAnthropicStreamDecoder();
    expect(decoder.push({ event: null, data: '{"type":"mess' })).toMatchObject([{ type: 'error' }]);
    expect(decoder.finish()).toEqual([]);
    expect(decode(start).at(-1)).toMatchObject({ type: 'error', kind: 'api_error' });
    expect(decode()).toMatchObject([{ type: 'error' }]);
  });

  it('closes blocks that the provider leaves open, and skips unknown events', () => {
    const events = decode(
      start,
      open(0, { type: 'text', text: '' }),
      { type: 'news' },
      { type: 'ping' },
      stop,
    );
    expect(events.map(({ type }) => type)).toEqual([
      'start',
      'block_start',
      'ping',
      'block_end',
      'finish',
      'end',
    ]);
  });
});
