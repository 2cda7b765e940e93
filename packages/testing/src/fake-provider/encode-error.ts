import type { FakeDialect, FakeErrorStatus } from './script.ts';

type Texts<Kind> = Record<FakeErrorStatus, { message: string } & Kind>;

/** https://platform.openai.com/docs/guides/error-codes; 529 is undocumented and sent like 503. */
const OPENAI: Texts<{ type: string; param: string | null; code: string | null }> = {
  400: {
    message: "Invalid type for 'messages[0].content': expected a string, but got an integer instead.",
    type: 'invalid_request_error',
    param: 'messages[0].content',
    code: 'invalid_type',
  },
  401: {
    message:
      'Incorrect API key provided: fake****key. You can find your API key at https://platform.openai.com/account/api-keys.',
    type: 'invalid_request_error',
    param: null,
    code: 'invalid_api_key',
  },
  403: {
    message: 'Project `proj_fake` does not have access to this model',
    type: 'invalid_request_error',
    param: null,
    code: 'model_not_found',
  },
  404: {
    message: 'The model does not exist or you do not have access to it.',
    type: 'invalid_request_error',
    param: null,
    code: 'model_not_found',
  },
  429: {
    message:
      'Rate limit reached in organization org-fake on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.',
    type: 'requests',
    param: null,
    code: 'rate_limit_exceeded',
  },
  500: {
    message: 'The server had an error while processing your request. Sorry about that!',
    type: 'server_error',
    param: null,
    code: null,
  },
  503: {
    message: 'The engine is currently overloaded, please try again later',
    type: 'server_error',
    param: null,
    code: null,
  },
  529: {
    message: 'The engine is currently overloaded, please try again later',
    type: 'server_error',
    param: null,
    code: null,
  },
};

/** https://docs.anthropic.com/en/api/errors; 503 is undocumented and sent like 529. */
const ANTHROPIC: Texts<{ type: string }> = {
  400: { type: 'invalid_request_error', message: 'messages.0.content: Input should be a valid string' },
  401: { type: 'authentication_error', message: 'invalid x-api-key' },
  403: { type: 'permission_error', message: 'Your API key does not have permission to use this model.' },
  404: { type: 'not_found_error', message: 'model: no-such-model' },
  429: {
    type: 'rate_limit_error',
    message: 'This request would exceed the rate limit of your organization.',
  },
  500: { type: 'api_error', message: 'Internal server error' },
  503: { type: 'overloaded_error', message: 'Overloaded' },
  529: { type: 'overloaded_error', message: 'Overloaded' },
};

/** The error body of a provider's refusal. */
export function encodeError(dialect: FakeDialect, status: FakeErrorStatus): Buffer {
  if (dialect === 'openai-chat')
    return Buffer.from(`${JSON.stringify({ error: OPENAI[status] }, null, 2)}\n`);
  const { type, message } = ANTHROPIC[status];
  return Buffer.from(JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_fake0001' }));
}
