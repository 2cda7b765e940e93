import { describe, expect, it } from 'vitest';
import { getCodec } from './codec.ts';
import { decodeAnthropicError } from './anthropic-messages/decode-error.ts';
import { decodeOpenAiError } from './openai-chat/decode-error.ts';

describe('the code of a provider error', () => {
  it.each([
    [{ code: 'context_length_exceeded', message: 'Please reduce the length.' }],
    [{ code: 'invalid_request_error', message: "This model's maximum context length is 131072 tokens." }],
    [{ code: 400, type: 'exceed_context_size_error', message: 'request (2009 tokens) is too much' }],
    [
      {
        code: '3051',
        message: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
      },
    ],
    [{ message: "This model's maximum prompt length is 131072 but the request contains 200000 tokens." }],
    [{ message: 'The input token count (2097153) exceeds the maximum number of tokens allowed (1048576).' }],
    [{ message: 'Your input exceeds the context window of this model.' }],
    [{ message: 'Input is too long for requested model.' }],
  ])('is context_length_exceeded for %j', (error) => {
    expect(decodeOpenAiError(400, { error }).code).toBe('context_length_exceeded');
  });

  it.each([
    'prompt is too long: 200016 tokens > 200000 maximum',
    'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length',
  ])('is context_length_exceeded for Anthropic’s “%s”', (message) => {
    const body = { type: 'error', error: { type: 'invalid_request_error', message } };
    expect(decodeAnthropicError(400, body).code).toBe('context_length_exceeded');
  });

  it.each([
    [{ code: 'content_filter', message: 'Filtered' }, 'content_filter'],
    [{ code: '1500', message: 'Invalid model' }, '1500'],
    // The status, or a sentence, is no code.
    [{ code: '401', message: 'No' }, null],
    [{ code: 400, message: 'No' }, null],
    [{ code: 'Client specified an invalid argument', message: 'No' }, null],
    [{ message: 'Your message mentions the maximum length of a prompt' }, null],
  ])('of %j is %s', (error, code) => {
    expect(decodeOpenAiError(400, { error }).code).toBe(code);
  });

  it('is not read from the text of an error that is not about the request', () => {
    expect(
      decodeOpenAiError(500, { error: { message: 'maximum context length is unknown' } }).code,
    ).toBeNull();
  });

  it('reaches OpenAI callers as the code, and Anthropic callers as the message that their agents look for', () => {
    const error = {
      kind: 'invalid_request_error',
      message: 'Too much',
      code: 'context_length_exceeded',
    } as const;
    expect(getCodec('openai-chat').encodeError(error, 'req_1')).toMatchObject({
      error: { code: 'context_length_exceeded', message: 'Too much', type: 'invalid_request_error' },
    });
    expect(getCodec('anthropic-messages').encodeError(error, 'req_1')).toMatchObject({
      error: { type: 'invalid_request_error', message: 'prompt is too long: Too much' },
    });
  });
});
