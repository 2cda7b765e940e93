import type { CompletionRequest } from '@tollgate/core/completion/request';
import type { CompletionResponse } from '@tollgate/core/completion/response';
import type { Result } from '@tollgate/core/errors/errors';
import { assembleCompletion } from '@tollgate/testing/assemble-completion';
import { describe, expect, it } from 'vitest';
import { decodeAnthropicRequest } from '../anthropic-messages/decode-request.ts';
import { encodeAnthropicRequest } from '../anthropic-messages/encode-request.ts';
import { encodeAnthropicResponse } from '../anthropic-messages/encode-response.ts';
import { decodeOpenAiResponsesRequest } from '../openai-responses/decode-request.ts';
import { encodeOpenAiResponsesRequest } from '../openai-responses/encode-request.ts';
import { encodeOpenAiResponsesResponse } from '../openai-responses/encode-response.ts';
import { decodeOpenAiChatRequest } from './decode-request.ts';
import { decodeOpenAiChatResponse } from './decode-response.ts';
import { createOpenAiChatStreamDecoder } from './decode-stream.ts';
import { encodeOpenAiChatRequest } from './encode-request.ts';
import { encodeOpenAiChatResponse } from './encode-response.ts';
import { NO_QUIRKS, type ProviderQuirks } from './quirks/provider-quirks.ts';

const GEMINI: ProviderQuirks = { ...NO_QUIRKS, callSignatures: 'extra_content' };
const SIGNATURE = 'CrICAdHtim827fQ+/9x8A==';
const CONTEXT = { requestId: 'req_1', model: 'm', nowSeconds: 1 };
const signed = { google: { thought_signature: SIGNATURE } };
const called = (name: string) => ({ type: 'function', function: { name, arguments: '{}' } });
const CALLS = [
  { id: 'function-call-1', ...called('first'), extra_content: signed },
  { id: 'function-call-2', ...called('second') },
];

function wholeAnswer(): CompletionResponse {
  const message = { role: 'assistant', content: null, tool_calls: CALLS };
  const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
  const response = decodeOpenAiChatResponse({ id: 'x', model: 'm', choices });
  if (response === null) throw new Error('It cannot be read');
  return response;
}

function streamedAnswer(): CompletionResponse {
  const decoder = createOpenAiChatStreamDecoder();
  const deltas = CALLS.map((call, index) => ({ tool_calls: [{ index, ...call }] }));
  const chunks = [
    ...deltas.map((delta) => ({ id: 'x', model: 'm', choices: [{ index: 0, delta }] })),
    { id: 'x', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  ].map((chunk) => JSON.stringify(chunk));
  return assembleCompletion([...chunks, '[DONE]'].flatMap((data) => decoder.push({ event: null, data })));
}

const overWire = (value: unknown) => JSON.parse(JSON.stringify(value));

/** The next turn of a caller who sends the calls back unchanged, and nothing else. */
const ENDPOINTS: Record<string, (answer: CompletionResponse) => Result<CompletionRequest>> = {
  'the messages endpoint': (answer) => {
    const { content } = overWire(encodeAnthropicResponse(answer, CONTEXT));
    const results = content.map(({ id }: { id: string }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: 'x',
    }));
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content },
      { role: 'user', content: results },
    ];
    return decodeAnthropicRequest({ model: 'gemini-3-pro', max_tokens: 9, messages });
  },
  'the responses endpoint': (answer) => {
    const { output } = overWire(encodeOpenAiResponsesResponse(answer, CONTEXT));
    const results = output.map(({ call_id: id }: { call_id: string }) => ({
      type: 'function_call_output',
      call_id: id,
      output: 'x',
    }));
    const input = [{ role: 'user', content: 'Hi' }, ...output, ...results];
    return decodeOpenAiResponsesRequest({ model: 'gemini-3-pro', input });
  },
  'the chat endpoint': (answer) => {
    const { message } = overWire(encodeOpenAiChatResponse(answer, CONTEXT)).choices[0];
    const results = message.tool_calls.map(({ id }: { id: string }) => ({
      role: 'tool',
      tool_call_id: id,
      content: 'x',
    }));
    const messages = [{ role: 'user', content: 'Hi' }, message, ...results];
    return decodeOpenAiChatRequest({ model: 'gemini-3-pro', messages });
  },
};

function nextTurn(spec: string, answer: CompletionResponse): CompletionRequest {
  const decoded = ENDPOINTS[spec]?.(answer);
  if (decoded?.ok !== true) throw new Error(decoded?.error.message);
  return decoded.value;
}

describe.each(Object.keys(ENDPOINTS))('a signed call that goes through %s', (spec) => {
  it.each([
    ['whole', wholeAnswer],
    ['streamed', streamedAnswer],
  ])('returns to Gemini unchanged, %s', (_name, answer) => {
    const encoded = encodeOpenAiChatRequest(nextTurn(spec, answer()), GEMINI);
    expect(encoded).toMatchObject({
      ok: true,
      body: {
        messages: [
          { role: 'user' },
          { role: 'assistant', tool_calls: CALLS },
          { role: 'tool', tool_call_id: 'function-call-1' },
          { role: 'tool', tool_call_id: 'function-call-2' },
        ],
      },
    });
    expect(JSON.stringify(encoded).split('thought_signature')).toHaveLength(2);
  });

  it('is sent to other providers without its signature', () => {
    const request = nextTurn(spec, wholeAnswer());
    const bodies = [
      encodeOpenAiChatRequest(request),
      encodeAnthropicRequest(request, { defaultMaxTokens: 9 }),
      encodeOpenAiResponsesRequest(request),
    ];
    for (const body of bodies) {
      const text = JSON.stringify(body);
      expect(text.split('"function-call-1"')).toHaveLength(3);
      expect(text).not.toMatch(/sig[01]-|thought_signature/);
    }
  });
});

describe('a call that another model made', () => {
  const messages = [
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: null,
      tool_calls: ['toolu_1', 'toolu_2'].map((id) => ({ id, ...called('f') })),
    },
    { role: 'tool', tool_call_id: 'toolu_1', content: 'x' },
    { role: 'tool', tool_call_id: 'toolu_2', content: 'x' },
  ];
  const turn = (model: string, quirks = GEMINI) => {
    const decoded = decodeOpenAiChatRequest({ model, messages });
    if (!decoded.ok) throw new Error(decoded.error.message);
    return JSON.stringify(encodeOpenAiChatRequest(decoded.value, quirks));
  };

  it('is marked as unsigned for a Gemini model that requires a signature on its first call, and for no other', () => {
    expect(turn('google/gemini-3-flash').split('skip_thought_signature_validator')).toHaveLength(2);
    expect(turn('gemini-2.5-pro')).not.toContain('thought_signature');
    expect(turn('gemini-3-flash', { ...GEMINI, callSignatures: 'none' })).not.toContain('thought_signature');
  });

  it('gets an id that Mistral takes, the same as its result', () => {
    const written = turn('mistral-large', { ...NO_QUIRKS, callIds: 'short' });
    const ids = Array.from(written.matchAll(/"(?:id|tool_call_id)":"([^"]*)"/g), ([, id]) => id);
    expect(ids).toHaveLength(4);
    expect(ids.every((id) => /^[a-zA-Z0-9]{9}$/.test(id ?? ''))).toBe(true);
    expect(ids.slice(0, 2)).toEqual(ids.slice(2));
    expect(new Set(ids).size).toBe(2);
  });

  it('gets an id that OpenAI takes if its own is too long, the same as its result', () => {
    const id = `functions.${'x'.repeat(80)}:0`;
    const long = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [{ id, ...called('f') }] },
      { role: 'tool', tool_call_id: id, content: 'x' },
    ];
    const decoded = decodeOpenAiChatRequest({ model: 'gpt-5', messages: long });
    if (!decoded.ok) throw new Error(decoded.error.message);
    const short = expect.stringMatching(/^call_[a-zA-Z0-9]{9}$/);
    expect(encodeOpenAiChatRequest(decoded.value)).toMatchObject({
      body: { messages: [{}, { tool_calls: [{ id: short }] }, { tool_call_id: short }] },
    });
    expect(encodeOpenAiResponsesRequest(decoded.value)).toMatchObject({
      body: { input: [{}, { call_id: short }, { call_id: short }] },
    });
  });
});
