import { describe, expect, it } from 'vitest';
import { decodeAnthropicRequest } from './decode-request.ts';
import { parseAnthropicMessagesRequest } from './parse-request.ts';

const body = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] };

describe('a conversation that the provider is to keep', () => {
  it.each([{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }])(
    'is refused in the way that the SDK recovers from, relayed or translated: %o',
    (thread) => {
      const request = { ...body, thread };
      for (const read of [
        decodeAnthropicRequest(request),
        parseAnthropicMessagesRequest(JSON.stringify(request)),
      ])
        expect(read).toMatchObject({
          ok: false,
          error: {
            code: 'unsupported_parameter',
            param: 'thread',
            details: { error_code: 'thread_unsupported_request' },
          },
        });
    },
  );

  it('returns null if the member is null', () => {
    const request = { ...body, thread: null };
    expect(decodeAnthropicRequest(request)).toMatchObject({ ok: true });
    expect(parseAnthropicMessagesRequest(JSON.stringify(request))).toMatchObject({ ok: true });
  });
});
