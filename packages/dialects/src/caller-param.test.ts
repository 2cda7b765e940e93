import { describe, expect, it } from 'vitest';
import { decodeAnthropicRequest } from './anthropic-messages/decode-request.ts';
import { toCallerParam } from './caller-param.ts';
import { decodeOpenAiChatRequest } from './openai-chat/decode-request.ts';
import { encodeAnthropicRequest } from './anthropic-messages/encode-request.ts';
import { encodeOpenAiChatRequest } from './openai-chat/encode-request.ts';
import { decodeOpenAiResponsesRequest } from './openai-responses/decode-request.ts';

const limits = { defaultMaxTokens: 100 };

describe('the place of a fault, as the caller knows it', () => {
  it('is the part itself in a chat', () => {
    const audio = { type: 'input_audio', input_audio: { format: 'wav', data: 'AAAA' } };
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }, audio] },
    ];
    const decoded = decodeOpenAiChatRequest({ model: 'm', messages });
    if (!decoded.ok) throw new Error(decoded.error.message);
    const encoded = encodeAnthropicRequest(decoded.value, limits);
    const param = encoded.ok ? '' : (encoded.error.param ?? '');
    expect(toCallerParam('openai-chat', param)).toBe('messages.1.content.1');
  });

  it('is the list if a turn is split into several, or several are merged', () => {
    const upload = { type: 'container_upload', file_id: 'file_1' };
    const messages = [{ role: 'user', content: [upload] }];
    const decoded = decodeAnthropicRequest({ model: 'm', max_tokens: 9, system: 'Be brief.', messages });
    if (!decoded.ok) throw new Error(decoded.error.message);
    const encoded = encodeOpenAiChatRequest(decoded.value);
    expect(toCallerParam('anthropic-messages', encoded.ok ? '' : (encoded.error.param ?? ''))).toBe(
      'messages',
    );

    const input = [
      { role: 'user', content: 'Hi' },
      { type: 'compaction', id: 'cmp_1', encrypted_content: 'x' },
    ];
    const response = decodeOpenAiResponsesRequest({ model: 'm', input });
    if (!response.ok) throw new Error(response.error.message);
    const refused = encodeAnthropicRequest(response.value, limits);
    expect(toCallerParam('openai-responses', refused.ok ? '' : (refused.error.param ?? ''))).toBe('input');
  });

  it('is unchanged if the field is the same in all dialects', () => {
    expect(toCallerParam('openai-responses', 'temperature')).toBe('temperature');
  });
});
