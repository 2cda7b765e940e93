import { describe, expect, it } from 'vitest';
import { decodeAnthropicRequest } from './decode-request.ts';

const body = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] };

describe('a conversation that the provider is to keep', () => {
  it.each([{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }])(
    'is refused in the way that the SDK recovers from: %o',
    (thread) => {
      expect(decodeAnthropicRequest({ ...body, thread })).toMatchObject({
        ok: false,
        error: {
          code: 'unsupported_parameter',
          param: 'thread',
          details: { error_code: 'thread_unsupported_request' },
        },
      });
    },
  );

  it('is none where the member is null', () => {
    expect(decodeAnthropicRequest({ ...body, thread: null })).toMatchObject({ ok: true });
  });
});
