import type { AssistantPart } from '@tollgate/core/completion/content';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json/parse-object.ts';
import { encodeAnthropicResponse } from './encode-response.ts';
import { createAnthropicStreamEncoder } from './encode-stream.ts';

const context = (requestBody?: JsonObject) => ({
  requestId: 'req_1',
  model: 'm',
  nowSeconds: 1,
  ...(requestBody !== undefined && { requestBody }),
});
const reasoning: AssistantPart[] = [
  { type: 'thinking', text: 'Hm.', signature: 'S' },
  { type: 'redacted_thinking', data: 'D' },
];
const text: AssistantPart = { type: 'text', text: 'Hi', citations: [], cache: null };
const call: AssistantPart = { type: 'tool_call', id: 'call_1', name: 'f', arguments: '{}', cache: null };

function encodeWhole(content: AssistantPart[], requestBody?: JsonObject): unknown[] {
  const { content: blocks } = encodeAnthropicResponse(
    {
      id: 'a',
      createdAt: null,
      model: 'm',
      choices: [{ index: 0, content, finish: { type: 'stop' }, logprobs: null }],
      usage: null,
      serviceTier: null,
    } as never,
    context(requestBody),
  );
  return (blocks as { type: string }[]).map(({ type }) => type);
}

function encodeStream(content: AssistantPart[], requestBody?: JsonObject): unknown[] {
  const encoder = createAnthropicStreamEncoder({
    ...context(requestBody),
    estimatedInputTokens: null,
    wantsStreamUsage: true,
  });
  const events: CompletionEvent[] = [
    ...content.flatMap((part, block): CompletionEvent[] => {
      const at = { choice: 0, block };
      switch (part.type) {
        case 'thinking':
          return [
            { type: 'block_start', ...at, start: { type: 'thinking' } },
            { type: 'thinking_delta', ...at, text: part.text },
            { type: 'block_end', ...at },
          ];
        case 'redacted_thinking':
          return [
            { type: 'block_start', ...at, start: { type: 'redacted_thinking', data: part.data } },
            { type: 'block_end', ...at },
          ];
        case 'tool_call':
          return [
            { type: 'block_start', ...at, start: { type: 'tool_call', id: part.id, name: part.name } },
            { type: 'arguments_delta', ...at, json: part.arguments },
            { type: 'block_end', ...at },
          ];
        default:
          return [
            { type: 'block_start', ...at, start: { type: 'text' } },
            { type: 'text_delta', ...at, text: 'Hi' },
            { type: 'block_end', ...at },
          ];
      }
    }),
    { type: 'end' },
  ];
  const sent = events.map((event) => encoder.push(event)).join('');
  return [...sent.matchAll(/"content_block":\{"type":"(\w+)"/g)].map(([, type]) => type);
}

describe.each([
  ['a whole answer', encodeWhole],
  ['a stream', encodeStream],
])('%s', (_, encode) => {
  const REASONING = ['thinking', 'redacted_thinking'];

  it.each([{}, { thinking: { type: 'disabled' } }])('begins with its text if the request has %j', (body) => {
    expect(encode([...reasoning, text], body)).toEqual(['text']);
  });

  it('has unrequested reasoning before its first call, for the next turn', () => {
    expect(encode([...reasoning, text, call], {})).toEqual(['text', ...REASONING, 'tool_use']);
    expect(encode([...reasoning, call, call], {})).toEqual([...REASONING, 'tool_use', 'tool_use']);
    expect(encode([call, ...reasoning, call], {})).toEqual(['tool_use', ...REASONING, 'tool_use']);
  });

  it.each([
    { thinking: { type: 'adaptive' } },
    { thinking: { type: 'enabled', budget_tokens: 1024 } },
    undefined,
  ])('has its reasoning where it came if the request has %j', (body) => {
    expect(encode([...reasoning, text, call], body)).toEqual([...REASONING, 'text', 'tool_use']);
  });
});
