import type { ErrorCode } from './errors.ts';

/** When each error comes, for people who read the documentation of the API. A new code does not compile without. */
export const ERROR_SUMMARIES: Readonly<Record<ErrorCode, string>> = {
  missing_api_key: 'No API key came with the request.',
  malformed_api_key: 'What came as API key cannot be one: its checksum is wrong.',
  invalid_api_key: 'There is no such API key.',
  revoked_api_key: 'The API key was revoked.',
  expired_api_key: 'The API key has expired.',
  model_not_allowed: 'The model is outside the list of the API key.',
  account_suspended: 'The account of the API key is suspended.',
  model_not_found: 'There is no such model for this API key.',
  route_not_found: 'There is no such endpoint.',
  invalid_request: 'A member of the request is not what it must be; `param` names it.',
  invalid_json: 'The body is not JSON in UTF-8.',
  unsupported_parameter: 'No provider of the model can do what a member asks for; `param` names it.',
  request_exceeds_tpm: 'The request alone is more than the tokens of a minute: no waiting helps.',
  request_too_large: 'The body or the headers are too large.',
  unsupported_media_type: 'The body is not plain JSON.',
  request_timeout: 'The request took too long to arrive.',
  budget_exceeded: 'The budget of the API key leaves too little for the request.',
  insufficient_balance: 'The balance of the account leaves too little for the request.',
  rate_limit_requests: 'Too many requests in a minute; `retry-after` says when the next one passes.',
  rate_limit_tokens: 'Too many tokens in a minute; `retry-after` says when the next request passes.',
  rate_limit_bodies:
    'The account has too many bytes of request bodies in progress; try again after `retry-after`.',
  budget_reserved: 'Requests under way reserve what is left; `retry-after` says when to try again.',
  upstream_error: 'The provider failed.',
  upstream_misconfigured:
    "The provider refused this gateway's own account: its key, its rights or its credit.",
  upstream_overloaded: 'The provider has too much to do.',
  upstream_timeout: 'The provider did not answer in time.',
  no_route_available: 'No provider of the model can be called at the moment.',
  ledger_unavailable: 'The gateway cannot record what is spent, and lets nothing through unrecorded.',
  gateway_overloaded: 'The gateway has no memory left for request bodies; try again after `retry-after`.',
  shutting_down: 'This process is about to stop.',
  internal_error: 'The gateway failed.',
};
