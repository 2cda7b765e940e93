import type { CompletionEvent } from '@tollgate/core/completion/events';
import {
  arbitraryCompletionResponse,
  arbitraryChoice,
  arbitraryStream,
} from '@tollgate/testing/arbitrary-completion';
import { arbitraryToolCallPart } from '@tollgate/testing/arbitrary-completion-content';
import { readAnthropicMessage, readAnthropicStream } from '@tollgate/testing/read-anthropic-wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnthropicStreamEncoder } from './encode-stream.ts';

const CONTEXT = {
  requestId: 'req_9',
  model: 'asked-for',
  nowSeconds: 0,
  estimatedInputTokens: 21,
  wantsStreamUsage: true,
};
const START: CompletionEvent = { type: 'start', id: 'chatcmpl-1', model: 'm', createdAt: 1, usage: null };
const FINISH: CompletionEvent = { type: 'finish', choice: 0, reason: { type: 'stop' } };
const END: CompletionEvent = { type: 'end' };
const usage = (inputTokens: number, outputTokens: number): CompletionEvent => ({
  type: 'usage',
  usage: {
    inputTokens,
    outputTokens,
    cacheReadTokens: 4,
    cacheWriteTokens: 0,
    reasoningTokens: 2,
    cacheWrite1hTokens: 0,
  },
});
const open = (block: number, id = ''): CompletionEvent => ({
  type: 'block_start',
  choice: 0,
  block,
  start: id === '' ? { type: 'text' } : { type: 'tool_call', id, name: 'f' },
});
const text = (block: number, said: string): CompletionEvent => ({
  type: 'text_delta',
  choice: 0,
  block,
  text: said,
});
const json = (block: number, fragment: string): CompletionEvent => ({
  type: 'arguments_delta',
  choice: 0,
  block,
  json: fragment,
});
const close = (block: number): CompletionEvent => ({ type: 'block_end', choice: 0, block });

const write = (...events: CompletionEvent[]) => {
  const encoder = createAnthropicStreamEncoder(CONTEXT);
  return events.map((event) => encoder.push(event));
};
const getNames = (out: string) => [...out.matchAll(/^event: (.*)$/gm)].map(([, name]) => name);

describe('createAnthropicStreamEncoder', () => {
  it('ends unsigned reasoning with an empty signature, and signed reasoning with only its signature', () => {
    const thinking: CompletionEvent[] = [
      { type: 'block_start', choice: 0, block: 0, start: { type: 'thinking' } },
      { type: 'thinking_delta', choice: 0, block: 0, text: 'Hm' },
    ];
    const signature: CompletionEvent = { type: 'signature', choice: 0, block: 0, signature: 'c2ln' };
    const getSignatures = (...events: CompletionEvent[]) =>
      [
        ...write(START, ...events, FINISH, END)
          .join('')
          .matchAll(/"signature_delta","signature":"(.*?)"/g),
      ].map(([, written]) => written);
    expect(getSignatures(...thinking, close(0))).toEqual(['']);
    expect(getSignatures(...thinking)).toEqual(['']);
    expect(getSignatures(...thinking, signature, close(0))).toEqual(['c2ln']);
  });

  it('starts with the estimated input and corrects it at the end', () => {
    const out = write(START, open(0), text(0, 'Hi'), close(0), FINISH, usage(15, 3), END);
    expect(out[0]).toContain('"input_tokens":21');
    expect(out[0]).toContain('"id":"msg_9"');
    expect(out[0]).toContain('"model":"asked-for"');
    expect(out[4]).toBe('');
    expect(getNames(out.join(''))).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    const { message } = readAnthropicStream(out.join(''));
    expect(readAnthropicMessage(message)).toMatchObject({
      text: 'Hi',
      stopReason: 'end_turn',
      usage: { input: 15, read: 4, write: 0, output: 3 },
    });
  });

  it('estimates the counts if the provider reports no usage', () => {
    const { message } = readAnthropicStream(
      write(START, open(0), text(0, 'eight ch'), close(0), FINISH, END).join(''),
    );
    expect(message.usage).toMatchObject({ input_tokens: 21, output_tokens: 2 });
  });

  it('relays each fragment immediately', () => {
    const out = write(START, open(0, 'a'), json(0, '{"x'), json(0, '":1}'));
    expect(out[2]).toContain('"partial_json":"{\\"x"');
    expect(out[3]).toContain('"partial_json":"\\":1}"');
  });

  it('makes room for the next call as soon as the arguments of one are whole', () => {
    const out = write(
      START,
      open(0, 'a'),
      json(0, '{}'),
      open(1, 'b'),
      json(1, '{"y"'),
      json(1, ':2}'),
      close(0),
      close(1),
    );
    expect(getNames(out[3] ?? '')).toEqual(['content_block_stop', 'content_block_start']);
    expect(out[4]).toContain('"index":1');
    expect(out[6]).toBe('');
  });

  it('holds a call back until the arguments of another are complete, then writes it', () => {
    const out = write(START, open(0, 'a'), json(0, '{"x":'), open(1, 'b'), json(1, '{}'), json(0, '1}'));
    expect(out[3]).toBe('');
    expect(out[4]).toBe('');
    expect(getNames(out[5] ?? '')).toEqual([
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
    ]);
  });

  it('puts calls together from any interleaving of their fragments', () => {
    const calls = arbitraryCompletionResponse({
      choices: fc.tuple(
        arbitraryChoice({
          content: fc.array(arbitraryToolCallPart({ cache: fc.constant(null) }), {
            minLength: 2,
            maxLength: 5,
          }),
          finish: fc.constant({ type: 'tool_calls' as const }),
        }),
      ),
    });
    fc.assert(
      fc.property(arbitraryStream(calls), ({ response, events }) => {
        const { message } = readAnthropicStream(write(...events).join(''));
        const sent = response.choices[0]?.content.map((part) =>
          part.type === 'tool_call'
            ? { id: part.id, name: part.name, input: JSON.parse(part.arguments) }
            : null,
        );
        expect(readAnthropicMessage(message)).toMatchObject({ calls: sent, stopReason: 'tool_use' });
      }),
      { numRuns: 300 },
    );
  });

  it('opens no block for an empty text, and derives the stop reason of calls that end with stop', () => {
    const out = write(START, open(0), close(0), open(1, 'a'), close(1), FINISH, END).join('');
    expect(readAnthropicStream(out).message).toMatchObject({
      content: [{ type: 'tool_use', id: 'a', input: {} }],
      stop_reason: 'tool_use',
    });
  });

  it('gives each call without an id a new id', () => {
    const call: CompletionEvent = {
      type: 'block_start',
      choice: 0,
      block: 0,
      start: { type: 'tool_call', id: '', name: 'f' },
    };
    expect(write(START, call)[1]).toContain('"id":"toolu_9_0"');
  });

  it('ends with only an error event if the provider failed', () => {
    const failure: CompletionEvent = {
      type: 'error',
      kind: 'overloaded_error',
      message: 'Overloaded',
      code: null,
    };
    const out = write(START, open(0), text(0, 'Hi'), failure, close(0), FINISH, END);
    expect(out[3]).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_9"}\n\n',
    );
    expect(out.slice(4).join('')).toBe('');
  });

  it('relays pings and leaves other choices and foreign blocks out', () => {
    const foreign: CompletionEvent = {
      type: 'block_start',
      choice: 0,
      block: 0,
      start: { type: 'opaque', part: { type: 'opaque', dialect: 'other', name: 'x', value: {} } },
    };
    const other: CompletionEvent = { type: 'text_delta', choice: 1, block: 0, text: 'second' };
    const out = write(START, { type: 'ping' }, foreign, close(0), other, open(1), text(1, 'Hi'));
    expect(out[1]).toBe('event: ping\ndata: {"type":"ping"}\n\n');
    expect(out.slice(2, 6)).toEqual(['', '', '', '']);
    expect(out[6]).toContain('"index":0');
  });
});
