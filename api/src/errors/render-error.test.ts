import { ERROR_TABLE, type ErrorCode } from '@tollgate/core/errors/errors';
import { checkOpenAiError } from '@tollgate/testing/conformance/check-chat-completion';
import { checkMessagesError } from '@tollgate/testing/conformance/check-message';
import { describe, expect, it } from 'vitest';
import { getErrorFormat } from './render-error.ts';

const codes = Object.keys(ERROR_TABLE) as ErrorCode[];

describe.each(codes)('the error %s', (code) => {
  const error = { code, message: 'What happened.', param: 'model' };

  it('has a status and a type in both dialects', () => {
    const openai = getErrorFormat('openai-chat');
    expect(openai.getStatus(error)).toBe(ERROR_TABLE[code].status);
    expect(JSON.parse(openai.body(error, 'req_1'))).toEqual({
      error: { message: 'What happened.', type: ERROR_TABLE[code].openaiType, param: 'model', code },
    });
    const anthropic = getErrorFormat('anthropic-messages');
    expect(JSON.parse(anthropic.body(error, 'req_1'))).toEqual({
      type: 'error',
      error: { type: ERROR_TABLE[code].anthropicType, message: 'What happened.' },
      request_id: 'req_1',
    });
  });

  it('is what the SDK of each dialect expects', () => {
    expect(checkOpenAiError(JSON.parse(getErrorFormat('openai-chat').body(error, 'req_1')))).toEqual([]);
    expect(checkMessagesError(JSON.parse(getErrorFormat('anthropic-messages').body(error, 'req_1')))).toEqual(
      [],
    );
  });

  it('is one stream event in both dialects', () => {
    expect(getErrorFormat('openai-chat').event(error, 'req_1')).toMatch(/^data: \{.*\}\n\n$/);
    expect(getErrorFormat('anthropic-messages').event(error, 'req_1')).toMatch(
      /^event: error\ndata: \{.*\}\n\n$/,
    );
  });
});

it('returns 529 for an overloaded provider only in the Anthropic dialect', () => {
  const error = { code: 'upstream_overloaded', message: '' } as const;
  expect(getErrorFormat('anthropic-messages').getStatus(error)).toBe(529);
  expect(getErrorFormat('openai-chat').getStatus(error)).toBe(503);
});
