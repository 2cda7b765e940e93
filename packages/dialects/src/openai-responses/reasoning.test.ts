import { Buffer } from 'node:buffer';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionRequest } from '@tollgate/core/completion/request';
import type { Result } from '@tollgate/core/errors/errors';
import { describe, expect, it } from 'vitest';
import { decodeAnthropicRequest } from '../anthropic-messages/decode-request.ts';
import { decodeAnthropicResponse } from '../anthropic-messages/decode-response.ts';
import { encodeAnthropicRequest } from '../anthropic-messages/encode-request.ts';
import { encodeAnthropicResponse } from '../anthropic-messages/encode-response.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { decodeOpenAiChatRequest } from '../openai-chat/decode-request.ts';
import { encodeOpenAiChatResponse } from '../openai-chat/encode-response.ts';
import { createSseParser } from '../sse/parse-events.ts';
import { encodeSignature, OPENAI_FORMAT } from '../thinking-signature.ts';
import { decodeOpenAiResponsesRequest } from './decode-request.ts';
import { decodeOpenAiResponsesResponse } from './decode-response.ts';
import { encodeOpenAiResponsesRequest } from './encode-request.ts';
import { encodeOpenAiResponsesResponse } from './encode-response.ts';
import { createOpenAiResponsesStreamEncoder } from './encode-stream.ts';

const CONTEXT = {
  requestId: 'req_1',
  model: 'm',
  nowSeconds: 1,
  estimatedInputTokens: null,
  wantsStreamUsage: true,
};
function decoded(result: Result<CompletionRequest>): CompletionRequest {
  if (!result.ok) throw new Error(`${result.error.param}: ${result.error.message}`);
  return result.value;
}

function getBody(encoded: ReturnType<typeof encodeAnthropicRequest>): JsonObject {
  if (!encoded.ok) throw new Error(encoded.error.message);
  return encoded.body;
}

const overWire = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value));

/** The turn that follows an answer: its items as they came, and the result of its call. */
function nextTurn(answer: JsonObject): CompletionRequest {
  const output: unknown[] = Array.isArray(answer['output']) ? answer['output'] : [];
  const result = { type: 'function_call_output', call_id: 'toolu_1', output: 'Rain' };
  return decoded(
    decodeOpenAiResponsesRequest({
      model: 'claude-sonnet-4-5',
      input: [{ role: 'user', content: 'Hi' }, ...output, result],
    }),
  );
}

const CLAUDE_CONTENT = [
  { type: 'thinking', thinking: 'Look it up', signature: 'c2ln' },
  { type: 'redacted_thinking', data: 'c2VjcmV0' },
  { type: 'thinking', thinking: '', signature: 'ZW1wdHk=' },
  { type: 'text', text: 'I look.' },
  { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } },
];

describe('reasoning', () => {
  const answer = decodeAnthropicResponse({
    type: 'message',
    id: 'msg_1',
    model: 'm',
    content: CLAUDE_CONTENT,
  });
  if (answer === null) throw new Error('It cannot be read');

  it('of an Anthropic model returns to it signed, in the next turn of a whole answer', () => {
    const response = overWire(encodeOpenAiResponsesResponse(answer, CONTEXT));
    expect(response['output']).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Look it up' }] },
      { type: 'reasoning', summary: [] },
      { type: 'reasoning', summary: [] },
      { type: 'message' },
      { type: 'function_call', call_id: 'toolu_1' },
    ]);
    const body = getBody(encodeAnthropicRequest(nextTurn(response), { defaultMaxTokens: 10 }));
    expect(body['messages']).toMatchObject([{ role: 'user' }, { content: CLAUDE_CONTENT }, { role: 'user' }]);
  });

  it('of an Anthropic model returns to it signed, in the next turn of a stream', () => {
    const blocks = answer.choices[0]?.content ?? [];
    const at = { choice: 0, block: 0 };
    const events: CompletionEvent[] = [
      { type: 'start', id: 'msg_1', model: 'm', createdAt: null, usage: null },
      { type: 'block_start', ...at, start: { type: 'thinking' } },
      { type: 'thinking_delta', ...at, text: 'Look ' },
      { type: 'thinking_delta', ...at, text: 'it up' },
      { type: 'signature', ...at, signature: 'c2ln' },
      { type: 'block_end', ...at },
      { type: 'finish', choice: 0, reason: { type: 'stop' } },
      { type: 'end' },
    ];
    const encoder = createOpenAiResponsesStreamEncoder(CONTEXT);
    const parser = createSseParser();
    const written = parser.push(Buffer.from(events.map((event) => encoder.push(event)).join('')));
    const last: JsonObject = JSON.parse(written.at(-1)?.data ?? '{}');
    const messages = nextTurn(overWire(last['response'])).messages;
    expect(messages[1]?.content).toEqual([blocks[0]]);
  });

  const sealed = { id: 'rs_1', type: 'reasoning', encrypted_content: 'gAAAA' };
  const called = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' };

  it.each([
    ['hidden', []],
    ['with a summary', [{ type: 'summary_text', text: 'Look it up' }]],
  ])('of OpenAI, %s, passes through the other endpoints and returns under its own id', (_name, summary) => {
    const item = { ...sealed, summary };
    const response = decodeOpenAiResponsesResponse({ id: 'resp_1', model: 'gpt-5', output: [item, called] });
    if (response === null) throw new Error('It cannot be read');
    const message = overWire(encodeAnthropicResponse(response, CONTEXT));
    const { choices } = JSON.parse(JSON.stringify(encodeOpenAiChatResponse(response, CONTEXT)));
    const results = [{ type: 'tool_result', tool_use_id: 'call_1', content: 'x' }];
    const viaMessages = decodeAnthropicRequest({
      model: 'gpt-5',
      max_tokens: 100,
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: message['content'] },
        { role: 'user', content: results },
      ],
    });
    const viaChat = decodeOpenAiChatRequest({
      model: 'gpt-5',
      messages: [
        { role: 'user', content: 'Hi' },
        choices[0].message,
        { role: 'tool', tool_call_id: 'call_1', content: 'x' },
      ],
    });
    for (const request of [viaMessages, viaChat]) {
      const { input } = getBody(encodeOpenAiResponsesRequest(decoded(request)));
      expect(input).toMatchObject([{ role: 'user' }, item, { call_id: 'call_1' }, { call_id: 'call_1' }]);
    }
    const foreign = encodeAnthropicRequest(decoded(viaMessages), { defaultMaxTokens: 10 });
    expect(foreign).toMatchObject({ ok: true, dropped: ['reasoning'] });
  });

  it('of OpenAI without an id returns without the id that it has in the response', () => {
    const { id: _id, ...item } = { ...sealed, summary: [] };
    const response = decodeOpenAiResponsesResponse({ id: 'resp_1', model: 'gpt-5', output: [item, called] });
    if (response === null) throw new Error('It cannot be read');
    const { output } = overWire(encodeOpenAiResponsesResponse(response, CONTEXT));
    const input = [{ role: 'user', content: 'Hi' }, ...(Array.isArray(output) ? output : [])];
    const request = decoded(decodeOpenAiResponsesRequest({ model: 'gpt-5', input }));
    const sent: unknown = getBody(encodeOpenAiResponsesRequest(request))['input'];
    expect(sent).toMatchObject([{ role: 'user' }, item, { call_id: 'call_1' }]);
    expect(JSON.stringify(sent)).not.toContain('"id"');
  });

  it('of one maker are left out for the model of another', () => {
    const response = overWire(encodeOpenAiResponsesResponse(answer, CONTEXT));
    const encoded = encodeOpenAiResponsesRequest(nextTurn(response));
    expect(encoded).toMatchObject({ ok: true, dropped: ['reasoning'] });
    expect(JSON.stringify(getBody(encoded)['input'])).not.toContain('"reasoning"');
  });
});

describe('reasoning of OpenAI that led to nothing', () => {
  const data = encodeSignature({ type: 'reasoning.encrypted', data: 'x', id: 'rs_1', format: OPENAI_FORMAT });
  const hidden = { type: 'redacted_thinking', data };
  const user = { role: 'user', content: 'Hi' };
  const encode = (messages: object[]) => {
    const request = decoded(decodeAnthropicRequest({ model: 'm', max_tokens: 9, messages }));
    const encoded = encodeOpenAiResponsesRequest({ ...request, model: 'gpt-5.4' });
    const input: unknown = getBody(encoded)['input'];
    return { input, dropped: encoded.ok ? encoded.dropped : [] };
  };

  it('is not sent back, because OpenAI refuses it', () => {
    for (const messages of [
      [user, { role: 'assistant', content: [hidden] }, user],
      [user, { role: 'assistant', content: [hidden, hidden] }],
    ]) {
      const { input, dropped } = encode(messages);
      expect(JSON.stringify(input)).not.toContain('rs_1');
      expect(dropped).toContain('reasoning');
    }
  });

  it('is sent back if a message or a call follows it', () => {
    const call = { type: 'tool_use', id: 'c', name: 'f', input: {} };
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'x' }] };
    for (const messages of [
      [user, { role: 'assistant', content: [hidden, hidden, { type: 'text', text: 'a' }] }, user],
      [user, { role: 'assistant', content: [hidden, call] }, result],
    ]) {
      const { input, dropped } = encode(messages);
      expect(JSON.stringify(input)).toContain('rs_1');
      expect(dropped).toEqual([]);
    }
  });
});
