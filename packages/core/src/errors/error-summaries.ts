import type { ErrorCode } from './errors.ts';

/** Descriptions of the error codes in the API documentation. Every code must have one. */
export const ERROR_SUMMARIES: Readonly<Record<ErrorCode, string>> = {
  missing_api_key: 'The request has no API key.',
  malformed_api_key: 'The API key is mistyped, incomplete or not from Tollgate.',
  invalid_api_key: 'The API key does not exist.',
  revoked_api_key: 'The API key was revoked.',
  expired_api_key: 'The API key has expired.',
  model_not_allowed: "The model is not in the API key's scope or the account's plan.",
  account_suspended: "The API key's account is suspended. Contact the operator.",
  model_not_found: 'The model does not exist or is not available to this API key.',
  model_without_price: 'The operator has set no price for the model yet, so it cannot be used.',
  model_without_route: 'The model has no route to a provider, so it cannot be used. Contact the operator.',
  route_not_found: 'The endpoint does not exist.',
  response_not_found: 'The response is not stored in this account, or was deleted.',
  previous_response_not_found:
    'The response in `previous_response_id` is not stored in this account, or was deleted.',
  conversation_not_found: 'The conversation is not stored in this account, or was deleted.',
  conversation_item_not_found: 'The item is not in the conversation, or was deleted.',
  conversation_locked: 'Another request is adding to the conversation. Wait for the time in `retry-after`.',
  rate_limit_background:
    'The account runs too many responses in the background. Wait for one to end, or cancel one.',
  websocket_not_supported: 'WebSockets are disabled, or too many are open. Use HTTP.',
  invalid_request: 'A parameter of the request is invalid. `param` names it.',
  invalid_json: 'The request body is not valid UTF-8 JSON.',
  unsupported_parameter: 'No provider of the model supports a parameter of the request. `param` names it.',
  request_exceeds_tpm:
    'The request alone exceeds the tokens per minute. Send less input, or set a lower output limit.',
  request_too_large: 'The request body or headers are too large.',
  unsupported_media_type: 'The request body must be uncompressed JSON.',
  request_timeout: 'The request took too long to arrive.',
  budget_exceeded:
    "The API key's remaining budget is too low for the request. Create a key with a higher budget.",
  insufficient_balance: "The account's balance is too low for the request. Top up.",
  rate_limit_requests:
    'The key or the plan has reached its requests per minute. Wait for the time in `retry-after`.',
  rate_limit_tokens:
    'The key or the plan has reached its tokens per minute. Wait for the time in `retry-after`.',
  rate_limit_bodies:
    'The account sends too many large requests at the same time. Wait for the time in `retry-after`.',
  budget_reserved: 'Requests in progress hold the remaining money. Wait, or set a lower `max_tokens`.',
  upstream_error: 'The provider failed or could not be reached, or its response was interrupted or invalid.',
  upstream_misconfigured:
    "The provider rejected the gateway's credentials, or the gateway has no credit there. Contact the operator.",
  own_credential_refused:
    "The provider rejected your account's own credential, or your account has no credit there. Replace or remove the credential.",
  upstream_overloaded: 'The provider is overloaded. Try again later.',
  upstream_paused:
    'The gateway paused all providers of the model after repeated failures. Wait for the time in `retry-after`.',
  upstream_busy:
    'All providers of the model have reached their maximum of requests in progress in the gateway. Try again.',
  upstream_timeout: 'The provider did not respond in time.',
  no_route_available: 'No provider of the model supports the endpoint. Use another model.',
  ledger_unavailable: 'The gateway cannot record costs at the moment, so it rejects requests.',
  gateway_overloaded: 'The gateway is overloaded. Wait for the time in `retry-after`.',
  shutting_down: 'The gateway is shutting down.',
  internal_error: 'The gateway failed unexpectedly. Give the request ID to the operator.',
};
