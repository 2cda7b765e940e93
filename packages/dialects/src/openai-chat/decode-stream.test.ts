import type { CompletionEvent } from '@tollgate/core/completion/events';
import { assembleCompletion } from '@tollgate/testing/assemble-completion';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json/parse-object.ts';
import { createOpenAiChatStreamDecoder } from './decode-stream.ts';

const DONE = '[DONE]';
const chunk = (delta: JsonObject, rest: JsonObject = {}) => ({
  id: 'chatcmpl-1',
  model: 'm',
  created: 7,
  choices: [{ index: 0, delta, finish_reason: null, ...rest }],
});
const STOP = chunk({}, { finish_reason: 'stop' });

function decode(...data: (JsonObject | string)[]): CompletionEvent[] {
  const decoder = createOpenAiChatStreamDecoder();
  const events = data.flatMap((item) =>
    decoder.push({ event: null, data: typeof item === 'string' ? item : JSON.stringify(item) }),
  );
  return [...events, ...decoder.finish()];
}

const getContent = (...data: (JsonObject | string)[]) =>
  assembleCompletion(decode(...data, DONE)).choices[0]?.content;

function call(index: number | null, id: string | null, name: string | null, json: string): JsonObject {
  return {
    ...(index === null ? {} : { index }),
    ...(id === null ? {} : { id }),
    function: { ...(name === null ? {} : { name }), arguments: json },
  };
}

const toolCall = (id: string, name: string, json: string) => ({
  type: 'tool_call',
  id,
  name,
  arguments: json,
  cache: null,
});

describe('createOpenAiChatStreamDecoder', () => {
  it('reports the last usage also if earlier chunks had the same counts', () => {
    const usage = { prompt_tokens: 9, completion_tokens: 2 };
    const events = decode(
      { ...chunk({ content: 'a' }), usage },
      { ...chunk({ content: 'b' }), usage },
      STOP,
      {
        choices: [],
        usage,
      },
    );
    expect(events.map(({ type }) => type).slice(-5)).toEqual([
      'text_delta',
      'usage',
      'block_end',
      'finish',
      'end',
    ]);
  });

  it('returns the events of a stream step by step', () => {
    const usage = { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } };
    expect(
      decode(
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'Hel' }),
        chunk({ content: 'lo' }),
        STOP,
        { id: 'chatcmpl-1', choices: [], usage },
        DONE,
      ),
    ).toEqual([
      { type: 'start', id: 'chatcmpl-1', model: 'm', createdAt: 7, usage: null },
      { type: 'block_start', choice: 0, block: 0, start: { type: 'text' } },
      { type: 'text_delta', choice: 0, block: 0, text: 'Hel' },
      { type: 'text_delta', choice: 0, block: 0, text: 'lo' },
      {
        type: 'usage',
        usage: {
          inputTokens: 5,
          cacheReadTokens: 4,
          cacheWriteTokens: 0,
          outputTokens: 2,
          reasoningTokens: null,
          cacheWrite1hTokens: 0,
        },
      },
      { type: 'block_end', choice: 0, block: 0 },
      { type: 'finish', choice: 0, reason: { type: 'stop' } },
      { type: 'end' },
    ]);
  });

  it('relays fragments of arguments as they arrive, and closes a call when the next begins', () => {
    const events = decode(
      chunk({ tool_calls: [call(0, 'a', 'f', '')] }),
      chunk({ tool_calls: [call(0, null, null, '{"x"')] }),
      chunk({ tool_calls: [call(0, null, null, ':1}')] }),
      chunk({ tool_calls: [call(1, 'b', 'g', '{}')] }),
      chunk({}, { finish_reason: 'tool_calls' }),
      DONE,
    );
    expect(events.map((event) => event.type)).toEqual([
      'start',
      'block_start',
      'arguments_delta',
      'arguments_delta',
      'block_end',
      'block_start',
      'arguments_delta',
      'block_end',
      'finish',
      'end',
    ]);
  });

  it('distinguishes calls that have no index, no id, or one index for all', () => {
    expect(
      getContent(chunk({ tool_calls: [call(null, 'a', 'f', '{}'), call(null, 'b', 'f', '{"y":2}')] })),
    ).toEqual([toolCall('a', 'f', '{}'), toolCall('b', 'f', '{"y":2}')]);
    expect(
      getContent(
        chunk({ tool_calls: [call(0, '', 'f', '{}')] }),
        chunk({ tool_calls: [call(0, '', 'g', '{}')] }),
      ),
    ).toEqual([toolCall('call_chatcmpl-1_0', 'f', '{}'), toolCall('call_chatcmpl-1_1', 'g', '{}')]);
    expect(
      getContent(
        chunk({ tool_calls: [call(0, 'a', 'f', '{"x"')] }),
        chunk({ tool_calls: [call(0, 'a', 'f', ':1}')] }),
        chunk({ tool_calls: [call(0, 'b', 'f', '{}')] }),
      ),
    ).toEqual([toolCall('a', 'f', '{"x":1}'), toolCall('b', 'f', '{}')]);
  });

  it('opens a call when its name has arrived, and accepts an object as arguments', () => {
    expect(
      getContent(
        chunk({ tool_calls: [call(0, 'a', null, '{"x"')] }),
        chunk({ tool_calls: [{ index: 0, function: { name: 'f' } }] }),
        chunk({ tool_calls: [call(0, null, null, ':1}')] }),
        chunk({ tool_calls: [{ index: 1, id: 'b', function: { name: 'g', arguments: { y: 2 } } }] }),
      ),
    ).toEqual([toolCall('a', 'f', '{"x":1}'), toolCall('b', 'g', '{"y":2}')]);
  });

  it('takes no second id for a call before its name has arrived', () => {
    expect(
      getContent(
        chunk({ tool_calls: [call(0, 'a', null, '')] }),
        chunk({ tool_calls: [call(0, 'b', 'f', '{}')] }),
      ),
    ).toEqual([toolCall('a', 'f', '{}')]);
  });

  it('assembles parallel calls from fragments in any order', () => {
    const json = fc
      .dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
      .map((object) => JSON.stringify(object));
    const calls = fc.array(json, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(calls, fc.infiniteStream(fc.nat(99)), (texts, numbers) => {
        const next = () => numbers.next().value;
        const opening = texts.map((_text, at) => chunk({ tool_calls: [call(at, `id${at}`, `f${at}`, '')] }));
        const rest = [...texts];
        const deltas: JsonObject[] = [];
        while (rest.some((text) => text !== '')) {
          const at = next() % rest.length;
          const size = 1 + (next() % 5);
          const piece = rest[at]?.slice(0, size) ?? '';
          rest[at] = rest[at]?.slice(size) ?? '';
          if (piece !== '') deltas.push(chunk({ tool_calls: [call(at, null, null, piece)] }));
        }
        expect(getContent(...opening, ...deltas)).toEqual(
          texts.map((text, at) => toolCall(`id${at}`, `f${at}`, text)),
        );
      }),
    );
  });

  it('reads signed reasoning, hidden reasoning and text as separate blocks', () => {
    const detail = (members: JsonObject) => chunk({ content: '', reasoning_details: [members] });
    expect(
      getContent(
        detail({ type: 'reasoning.text', text: '', signature: '', index: 0 }),
        detail({ type: 'reasoning.text', text: 'h', index: 0 }),
        detail({ type: 'reasoning.text', text: 'm', index: 0 }),
        detail({ type: 'reasoning.text', signature: 'S', index: 0 }),
        detail({ type: 'reasoning.encrypted', data: 'E', index: 1 }),
        detail({ type: 'reasoning.encrypted', data: 'X', index: 2, id: 'r', format: 'openai-responses-v1' }),
        chunk({ content: 'So' }),
      ),
    ).toEqual([
      { type: 'thinking', text: 'hm', signature: 'S' },
      { type: 'redacted_thinking', data: 'E' },
      { type: 'redacted_thinking', data: expect.stringMatching(/^reasoning\.encrypted:/) },
      { type: 'text', text: 'So', citations: [], cache: null },
    ]);
  });

  it('reads a refusal as a refusal', () => {
    const { choices } = assembleCompletion(
      decode(chunk({ refusal: 'I ' }), chunk({ refusal: 'won’t' }), STOP),
    );
    expect(choices).toEqual([
      { content: [{ type: 'refusal', text: 'I won’t' }], finish: { type: 'refusal' } },
    ]);
  });

  it('reads several choices side by side', () => {
    const at = (index: number, text: string) => ({
      id: 'x',
      choices: [{ index, delta: { content: text }, finish_reason: 'length' }],
    });
    const { choices } = assembleCompletion(decode(at(1, 'b'), at(0, 'a'), at(1, 'B'), DONE));
    expect(choices.map(({ content }) => content[0])).toMatchObject([{ text: 'a' }, { text: 'bB' }]);
    expect(choices[1]?.finish).toEqual({ type: 'length' });
  });

  it('takes a close after the reason for a good end, and one before it for a broken one', () => {
    expect(decode(chunk({ content: 'x' }), STOP).at(-1)).toEqual({ type: 'end' });
    const cut = decode(chunk({ content: 'x' }));
    expect(cut.at(-1)).toMatchObject({ type: 'error', kind: 'api_error' });
    expect(cut.map((event) => event.type)).not.toContain('finish');
    expect(decode()).toMatchObject([{ type: 'error' }]);
    expect(decode(DONE)).toMatchObject([{ type: 'error' }]);
  });

  it('reports an unreadable event as an error, and stops there', () => {
    expect(decode(chunk({ content: 'x' }), '{"choices":[{"del', STOP, DONE).slice(-2)).toMatchObject([
      { type: 'text_delta' },
      { type: 'error', message: 'The provider sent an event that cannot be read.' },
    ]);
  });

  it('returns an error after the finish reason, with the usage that came with it', () => {
    const error = { code: 429, message: 'Slow down' };
    const events = decode(chunk({ content: 'x' }), STOP, { error, usage: { prompt_tokens: 1 } }, DONE);
    expect(events.slice(-2)).toMatchObject([
      { type: 'usage', usage: { inputTokens: 1 } },
      { type: 'error', kind: 'rate_limit_error', message: 'Slow down' },
    ]);
    const named = createOpenAiChatStreamDecoder();
    expect(named.push({ event: 'error', data: '{"message":"Bad"}' })).toMatchObject([{ message: 'Bad' }]);
    expect(decode(chunk({}, { finish_reason: 'error' })).at(-1)).toMatchObject({ type: 'error' });
  });
});
