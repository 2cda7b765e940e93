import type { StoredCode } from './errors.ts';

const CALLER_ONLY = 'The caller has to change the request. Nothing to do, unless many callers get it.';
const KEY = 'The caller uses a wrong key. Check who created or revoked it in the audit log of the account.';
const STORED = 'The caller named an item that does not exist. Check how long the account keeps responses.';
const LIMIT = 'The limit works as set. Raise it in the key or the plan if the caller needs more.';

/** What an operator can do about each error code. */
export const OPERATOR_SUMMARIES: Readonly<Record<StoredCode, string>> = {
  missing_api_key: KEY,
  malformed_api_key: KEY,
  invalid_api_key: KEY,
  revoked_api_key: KEY,
  expired_api_key: KEY,
  model_not_allowed: 'Add the model to the plan, or have the account create a key whose scope includes it.',
  account_suspended: 'The account was suspended. Reactivate it on its operator page.',
  own_credential_refused: 'The credential belongs to the account. Its owner or admin has to replace it.',
  model_not_found:
    'The caller named a model that is not in the catalogue. Add it, or give the caller its name.',
  model_without_price: 'Set a price for the model on its operator page.',
  model_without_route: 'Add a route to the model on its operator page.',
  route_not_found: 'The caller uses an endpoint that the gateway does not have. Check the base URL.',
  response_not_found: STORED,
  previous_response_not_found: STORED,
  conversation_not_found: STORED,
  conversation_item_not_found: STORED,
  conversation_locked: 'Two requests of the caller continued one conversation. Nothing to do.',
  rate_limit_background: 'The account runs as many background responses as it may. Nothing to do.',
  websocket_not_supported:
    'WebSockets are turned off, or all connections are in use. See the settings of the api.',
  invalid_request: CALLER_ONLY,
  invalid_json: CALLER_ONLY,
  unsupported_parameter:
    'No route of the model supports the parameter. Add a provider that does, or allow the member.',
  request_exceeds_tpm: LIMIT,
  request_too_large: CALLER_ONLY,
  unsupported_media_type: CALLER_ONLY,
  request_timeout: 'The caller sent its request too slowly. Check proxies in front of the gateway.',
  budget_exceeded: 'The budget of the key is used up. The account can create a key with a higher budget.',
  insufficient_balance:
    'The balance of the account is too low. The account has to top up, or you can add a credit.',
  rate_limit_requests: LIMIT,
  rate_limit_tokens: LIMIT,
  rate_limit_bodies:
    'The account sends many large requests at the same time. Give the api more memory if it needs this.',
  budget_reserved: 'Requests in progress hold the rest of the money. They release what they do not use.',
  upstream_error: 'The attempts of the request say what failed. Test the provider on the Providers page.',
  upstream_misconfigured:
    'Check the credential and the credit of the gateway at the provider, then test the provider.',
  upstream_overloaded: 'The provider reports that it is overloaded. Add a route to another provider.',
  upstream_paused:
    'The circuit breakers of all routes are open. See the last error of each route on the model page.',
  upstream_busy: 'The providers have reached their maximum concurrency. Raise it, or add a route.',
  upstream_timeout:
    'The provider did not respond in time. Raise its timeouts if the model is slow, or add a route.',
  upstream_rejected:
    'The provider rejected the request itself. If many accounts get it, check the upstream model of the route.',
  no_route_available: 'No route of the model supports the endpoint. Add a provider that does.',
  ledger_unavailable: 'The database is unavailable or slow. Check it, then GET /readyz of the api.',
  gateway_overloaded: 'The api has no memory or time left. Give it more, or start another process.',
  shutting_down:
    'The api was stopping. If callers get this in deployments, stop sending to it before it stops.',
  internal_error: 'The log of the api has the error under the request ID. Report it.',
  client_gone: 'The client disconnected. If this happens often, compare its timeout with the latency.',
  replica_lost: 'A process of the api was killed. Check its log and its memory at that time.',
};
