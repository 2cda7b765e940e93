import type { AssistantPart } from '@tollgate/core/completion/content';
import type { CompletionResponse, FinishReason } from '@tollgate/core/completion/response';
import { describe, expect, it } from 'vitest';
import { decodeAnthropicError } from './decode-error.ts';
import { decodeAnthropicResponse } from './decode-response.ts';
import { encodeAnthropicError } from './encode-error.ts';
import { encodeAnthropicResponse } from './encode-response.ts';

const CONTEXT = { requestId: 'req_9', model: 'asked-for', nowSeconds: 0 };

function encode(
  content: AssistantPart[],
  finish: FinishReason = { type: 'stop' },
  rest: Partial<CompletionResponse> = {},
) {
  const response: CompletionResponse = {
    id: 'chatcmpl-1',
    model: 'm',
    createdAt: 1,
    choices: [{ content, finish }],
    usage: null,
    serviceTier: null,
    ...rest,
  };
  return encodeAnthropicResponse(response, CONTEXT);
}

const text = (words: string): AssistantPart => ({ type: 'text', text: words, citations: [], cache: null });
const call = (json: string): AssistantPart => ({
  type: 'tool_call',
  id: '',
  name: 'f',
  arguments: json,
  cache: null,
});

describe('encodeAnthropicResponse', () => {
  it("writes the members that the provider's own messages have", () => {
    const usage = {
      inputTokens: 5,
      cacheReadTokens: 1,
      cacheWriteTokens: 1,
      outputTokens: 7,
      reasoningTokens: 2,
      cacheWrite1hTokens: 2,
    };
    expect(encode([text('Hi')], { type: 'stop' }, { usage, serviceTier: 'default' })).toEqual({
      id: 'msg_9',
      type: 'message',
      role: 'assistant',
      model: 'asked-for',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      usage: {
        input_tokens: 5,
        cache_creation_input_tokens: 3,
        cache_read_input_tokens: 1,
        cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 2 },
        output_tokens: 7,
        output_tokens_details: { thinking_tokens: 2 },
        service_tier: 'standard',
      },
    });
  });

  it('gives calls ids, and writes truncated arguments as text', () => {
    expect(encode([text(''), call('{"a":'), call('')], { type: 'length' })).toMatchObject({
      content: [
        { id: 'toolu_9_1', input: { INVALID_JSON: '{"a":' } },
        { id: 'toolu_9_2', input: {} },
      ],
      stop_reason: 'max_tokens',
    });
  });

  it('writes a refusal as text and as the stop reason', () => {
    expect(encode([{ type: 'refusal', text: 'No.' }])).toMatchObject({
      content: [{ type: 'text', text: 'No.' }],
      stop_reason: 'refusal',
      stop_details: { type: 'refusal' },
    });
  });

  it('writes a source on the web as a citation of a search result', () => {
    const cited: AssistantPart = {
      type: 'text',
      text: 'The sky is blue.',
      citations: [
        {
          citedText: null,
          title: 'Sky',
          url: 'https://sky.example',
          start: 4,
          end: 7,
          original: { type: 'url_citation' },
        },
      ],
      cache: null,
    };
    expect(encode([cited])).toMatchObject({
      content: [
        {
          citations: [
            {
              type: 'web_search_result_location',
              url: 'https://sky.example',
              title: 'Sky',
              cited_text: 'sky',
              encrypted_index: '',
            },
          ],
        },
      ],
    });
  });

  it('cites no half of a character', () => {
    const place = {
      citedText: null,
      title: null,
      url: 'https://sky.example',
      start: 1,
      end: 6,
      original: {},
    };
    const cited: AssistantPart = { type: 'text', text: '🌤 a 🌧', citations: [place], cache: null };
    expect(encode([cited])).toMatchObject({ content: [{ citations: [{ cited_text: ' a ' }] }] });
  });

  it.each<[FinishReason, string, string | null]>([
    [{ type: 'stop_sequence', sequence: 'END' }, 'stop_sequence', 'END'],
    [{ type: 'content_filter' }, 'refusal', null],
    [{ type: 'pause' }, 'pause_turn', null],
    [{ type: 'context_length' }, 'model_context_window_exceeded', null],
  ])('ends %j with its reason', (finish, reason, sequence) => {
    expect(encode([text('Hi')], finish)).toMatchObject({ stop_reason: reason, stop_sequence: sequence });
  });
});

describe('decodeAnthropicResponse', () => {
  it('takes nothing but a message for one', () => {
    for (const body of [{}, { type: 'error' }, { type: 'message', content: 'Hi' }])
      expect(decodeAnthropicResponse(body)).toBeNull();
    expect(decodeAnthropicResponse({ type: 'message', content: [null, 5] })).toMatchObject({
      choices: [{ content: [], finish: { type: 'stop' } }],
      usage: null,
    });
  });
});

describe('errors', () => {
  it('go by the status if the body has no error type', () => {
    for (const body of [null, 'Bad gateway', {}])
      expect(decodeAnthropicError(529, body)).toEqual({
        kind: 'overloaded_error',
        message: 'The provider answered with status 529.',
        code: null,
      });
  });

  it.each([{ error: 'Full.' }, { message: 'Full.', code: 1 }, { detail: 'Full.' }])(
    "keep the message of a form that is not Anthropic's: %j",
    (body) => {
      expect(decodeAnthropicError(529, body)).toEqual({
        kind: 'overloaded_error',
        message: 'Full.',
        code: null,
      });
    },
  );

  it('are written with the request id, and as api_error if the kind is unknown', () => {
    expect(encodeAnthropicError({ kind: 'insufficient_quota', message: 'No.' }, 'req_9')).toEqual({
      type: 'error',
      error: { type: 'api_error', message: 'No.' },
      request_id: 'req_9',
    });
  });
});
