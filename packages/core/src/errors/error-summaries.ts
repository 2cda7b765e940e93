import type { ErrorCode } from './errors.ts';

/** Descriptions of the error codes in the API documentation. Every code must have one. */
export const ERROR_SUMMARIES: Readonly<Record<ErrorCode, string>> = {
  missing_api_key: 'The request has no API key.',
  malformed_api_key: 'The API key is malformed: its checksum is wrong.',
  invalid_api_key: 'The API key does not exist.',
  revoked_api_key: 'The API key was revoked.',
  expired_api_key: 'The API key has expired.',
  model_not_allowed: 'The API key is not allowed to use this model.',
  account_suspended: "The API key's account is suspended.",
  model_not_found: 'The model does not exist or is not available to this API key.',
  route_not_found: 'The endpoint does not exist.',
  response_not_found: 'The response is not stored in this account, or was deleted.',
  previous_response_not_found:
    'The response in `previous_response_id` is not stored in this account, or was deleted.',
  conversation_not_found: 'The conversation is not stored in this account, or was deleted.',
  conversation_item_not_found: 'The item is not in the conversation, or was deleted.',
  conversation_locked: 'Another request is adding to the conversation. Retry after `retry-after`.',
  rate_limit_background:
    'Too many responses of the account run in the background. Wait for one to end, or cancel one.',
  websocket_not_supported: 'WebSockets are disabled, or too many are open. Use HTTP.',
  invalid_request: 'A parameter of the request is invalid. The response names it in `param`.',
  invalid_json: 'The request body is not valid UTF-8 JSON.',
  unsupported_parameter:
    'No provider of the model supports a parameter of the request. The response names it in `param`.',
  request_exceeds_tpm: 'The request alone exceeds the tokens-per-minute limit. Retrying does not help.',
  request_too_large: 'The request body or headers are too large.',
  unsupported_media_type: 'The request body is not uncompressed JSON.',
  request_timeout: 'The request took too long to arrive.',
  budget_exceeded: 'The remaining budget of the API key is too low for the request.',
  insufficient_balance: "The account's balance is too low for the request.",
  rate_limit_requests: 'The limit of requests per minute is reached. Wait as long as `retry-after` says.',
  rate_limit_tokens: 'The limit of tokens per minute is reached. Wait as long as `retry-after` says.',
  rate_limit_bodies:
    "The account's request bodies in progress are too large in total. Wait as long as `retry-after` says.",
  budget_reserved:
    'The remaining funds are on hold for requests in progress. Wait, or set a lower `max_tokens`.',
  upstream_error: 'The provider failed.',
  upstream_misconfigured: "The provider rejected the gateway's account: its key, permissions or credit.",
  upstream_overloaded: 'The provider is overloaded, or paused after repeated failures.',
  upstream_timeout: 'The provider did not respond in time.',
  no_route_available: 'No provider of the model supports the endpoint.',
  ledger_unavailable: 'The gateway cannot record costs, so it rejects requests.',
  gateway_overloaded:
    'The gateway has no memory left for requests or responses. Wait as long as `retry-after` says.',
  shutting_down: 'The gateway is shutting down.',
  internal_error: 'The gateway failed unexpectedly.',
};
