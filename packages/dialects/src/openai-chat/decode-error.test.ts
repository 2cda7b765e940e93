import { loadRecordings } from '@tollgate/testing/recordings';
import { describe, expect, it } from 'vitest';
import { decodeOpenAiError, decodeOpenAiStreamError } from './decode-error.ts';

describe('decodeOpenAiError', () => {
  it.each<[number, unknown, string, string]>([
    [400, { error: { message: 'Bad', type: 'invalid_request_error' } }, 'invalid_request_error', 'Bad'],
    [
      401,
      { error: { message: 'Key', type: 'invalid_request_error', code: 'invalid_api_key' } },
      'authentication_error',
      'Key',
    ],
    [429, { error: { message: 'Quota', type: 'insufficient_quota' } }, 'billing_error', 'Quota'],
    [
      429,
      { error: { message: 'Slow', type: 'tokens', code: 'rate_limit_exceeded' } },
      'rate_limit_error',
      'Slow',
    ],
    [503, { error: { message: 'Busy', type: 'server_error' } }, 'overloaded_error', 'Busy'],
    [400, { code: 'x', error: 'Incorrect key' }, 'invalid_request_error', 'Incorrect key'],
    [401, { detail: 'Unauthorized' }, 'authentication_error', 'Unauthorized'],
    [422, { detail: [{ msg: 'no' }] }, 'invalid_request_error', 'no'],
    [422, { detail: [{ ctx: 1 }] }, 'invalid_request_error', '[{"ctx":1}]'],
    [
      422,
      {
        object: 'error',
        message:
          '{"detail":[{"type":"extra_forbidden","loc":["body","logit_bias"],"msg":"Extra inputs are not permitted","input":{}},{"type":"missing","loc":["body","messages",0,"role"],"msg":"Field required"}]}',
        type: 'invalid_request_error',
      },
      'invalid_request_error',
      'logit_bias: Extra inputs are not permitted; messages.0.role: Field required',
    ],
    [400, { message: '{"a": not JSON' }, 'invalid_request_error', '{"a": not JSON'],
    [
      400,
      { object: 'error', message: 'Invalid model', type: 'invalid_model' },
      'invalid_request_error',
      'Invalid model',
    ],
    [400, [{ error: { message: 'From Google', code: 400 } }], 'invalid_request_error', 'From Google'],
    [
      429,
      { error: { message: 'Provider', metadata: { raw: 'Said so' } } },
      'rate_limit_error',
      'Provider: Said so',
    ],
    [
      401,
      '<html>…</html>',
      'authentication_error',
      'The provider answered with status 401 and no readable message.',
    ],
    [
      500,
      'upstream connect error',
      'api_error',
      'The provider answered with status 500: upstream connect error',
    ],
    [504, null, 'timeout_error', 'The provider answered with status 504 and no readable message.'],
  ])('reads status %i with %j', (status, body, kind, message) => {
    expect(decodeOpenAiError(status, body)).toMatchObject({ kind, message });
  });

  it('reads the errors of a stream by their own code', () => {
    expect(decodeOpenAiStreamError({ error: { code: 502, message: 'Down' } })).toEqual({
      kind: 'api_error',
      message: 'Down',
      code: null,
    });
    expect(decodeOpenAiStreamError({ error: 'Just so' })).toMatchObject({
      kind: 'api_error',
      message: 'Just so',
    });
  });

  it.each(loadRecordings().cases.filter((found) => found.dialect === 'openai-chat' && found.status >= 400))(
    'finds the words in $name',
    ({ status, responseBody }) => {
      const text = responseBody.toString('utf8');
      const isJson = text.trimStart().startsWith('{');
      const { message, kind } = decodeOpenAiError(status, isJson ? JSON.parse(text) : text);
      expect(message).not.toBe('');
      if (isJson) expect(text).toContain(JSON.stringify(message.split(': ')[0]).slice(1, -1));
      if (status === 401) expect(kind).toBe('authentication_error');
      if (status === 404) expect(kind).toBe('not_found_error');
    },
  );
});
