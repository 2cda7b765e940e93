import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionResponse } from '@tollgate/core/completion/response';
import { describe, expect, it } from 'vitest';
import { decodeOpenAiChatRequest } from './decode-request.ts';
import { encodeOpenAiChatResponse } from './encode-response.ts';
import { createOpenAiChatStreamEncoder } from './encode-stream.ts';

const messages = [{ role: 'user', content: 'Hi' }];
const functions = [{ name: 'f', parameters: { type: 'object' } }];
const REQUEST = { model: 'm', messages, functions };
const tools = [{ type: 'function', function: functions[0] }];
const context = { requestId: 'req_1', model: 'm', nowSeconds: 1 };
const call = (id: string) => ({
  type: 'tool_call' as const,
  id,
  name: 'f',
  arguments: '{"a":1}',
  cache: null,
});

const RESPONSE: CompletionResponse = {
  id: 'x',
  createdAt: 1,
  model: 'm',
  serviceTier: null,
  usage: null,
  choices: [{ content: [call('a'), call('b')], finish: { type: 'tool_calls' } }],
};

const EVENTS: CompletionEvent[] = ['a', 'b'].flatMap((id, block): CompletionEvent[] => [
  { type: 'block_start', choice: 0, block, start: { type: 'tool_call', id, name: 'f' } },
  { type: 'arguments_delta', choice: 0, block, json: '{"a"' },
  { type: 'arguments_delta', choice: 0, block, json: ':1}' },
  { type: 'block_end', choice: 0, block },
]);

function stream(requestBody: object): string {
  const encoder = createOpenAiChatStreamEncoder({
    ...context,
    requestBody: { ...requestBody },
    estimatedInputTokens: null,
    wantsStreamUsage: false,
  });
  const finish: CompletionEvent = { type: 'finish', choice: 0, reason: { type: 'tool_calls' } };
  return [...EVENTS, finish].map((event) => encoder.push(event)).join('');
}

describe('a request that declares functions', () => {
  it('is answered with a function_call', () => {
    const { choices } = JSON.parse(
      JSON.stringify(encodeOpenAiChatResponse(RESPONSE, { ...context, requestBody: REQUEST })),
    );
    expect(choices[0].finish_reason).toBe('function_call');
    expect(choices[0].message.function_call).toEqual({ name: 'f', arguments: '{"a":1}' });
    expect(choices[0].message).not.toHaveProperty('tool_calls');
  });

  it('is answered with one in a stream', () => {
    const written = stream(REQUEST);
    expect(written).not.toContain('tool_calls');
    const deltas = [...written.matchAll(/"function_call":(\{.*?\})\}/g)].map(([, json]) =>
      JSON.parse(json ?? ''),
    );
    expect(deltas).toEqual([{ name: 'f', arguments: '' }, { arguments: '{"a"' }, { arguments: ':1}' }]);
    expect(written).toContain('"finish_reason":"function_call"');
  });

  it('permits one call, for which its answer has room', () => {
    const decoded = decodeOpenAiChatRequest(REQUEST);
    expect(decoded.ok && decoded.value.parallelToolCalls).toBe(false);
  });

  it('is answered with tool_calls if it declares tools as well', () => {
    const requestBody = { ...REQUEST, tools };
    expect(JSON.stringify(encodeOpenAiChatResponse(RESPONSE, { ...context, requestBody }))).not.toContain(
      'function_call',
    );
    expect(stream(requestBody)).not.toContain('function_call');
  });
});
