import { describe, expect, it } from 'vitest';
import { decodeAnthropicRequest } from '../anthropic-messages/decode-request.ts';
import { encodeOpenAiResponsesRequest } from '../openai-responses/encode-request.ts';
import { encodeOpenAiChatRequest } from './encode-request.ts';

describe('the name of an end user', () => {
  it.each([
    [64, []],
    [65, ['user']],
  ])('of %i characters is sent to OpenAI, or is named as dropped', (length, dropped) => {
    const name = 'u'.repeat(length);
    const decoded = decodeAnthropicRequest({
      model: 'gpt-5',
      max_tokens: 99,
      messages: [{ role: 'user', content: 'Hi' }],
      metadata: { user_id: name },
    });
    if (!decoded.ok) throw new Error(decoded.error.message);
    const sent = dropped.length === 0 ? name : undefined;
    const chat = encodeOpenAiChatRequest(decoded.value);
    expect(chat).toMatchObject({ ok: true, dropped });
    expect(chat.ok && chat.body['user']).toBe(sent);
    const responses = encodeOpenAiResponsesRequest(decoded.value);
    expect(responses).toMatchObject({ ok: true, dropped });
    expect(responses.ok && responses.body['safety_identifier']).toBe(sent);
  });
});
