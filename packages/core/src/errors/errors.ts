/**
 * The errors of the API: code, HTTP status, error type in each dialect, and whether a retry can help.
 * Every code must have a type for both dialects.
 */
export interface ErrorKind {
  status: number;
  openaiType: string;
  anthropicType: string;
  /** The usual wait before a retry; null: the same request would fail again. */
  retryAfterMs: number | null;
}

const AUTHENTICATION = {
  status: 401,
  openaiType: 'authentication_error',
  anthropicType: 'authentication_error',
  retryAfterMs: null,
};
const PERMISSION = {
  status: 403,
  openaiType: 'permission_error',
  anthropicType: 'permission_error',
  retryAfterMs: null,
};
const invalid = (status: number, anthropicType = 'invalid_request_error') => ({
  status,
  openaiType: 'invalid_request_error',
  anthropicType,
  retryAfterMs: null,
});
const INVALID = invalid(400);
const RATE_LIMIT = {
  status: 429,
  openaiType: 'rate_limit_error',
  anthropicType: 'rate_limit_error',
  retryAfterMs: 1_000,
};
/** Not 429, because SDKs retry it. */
const BILLING = {
  status: 402,
  openaiType: 'billing_error',
  anthropicType: 'billing_error',
  retryAfterMs: null,
};
const server = (status: number, anthropicType: string, retryAfterMs: number | null) => ({
  status,
  openaiType: 'server_error',
  anthropicType,
  retryAfterMs,
});

export const ERROR_TABLE = {
  missing_api_key: AUTHENTICATION,
  malformed_api_key: AUTHENTICATION,
  invalid_api_key: AUTHENTICATION,
  revoked_api_key: AUTHENTICATION,
  expired_api_key: AUTHENTICATION,
  model_not_allowed: PERMISSION,
  account_suspended: PERMISSION,
  own_credential_refused: PERMISSION,
  model_not_found: invalid(404, 'not_found_error'),
  model_without_price: invalid(404, 'not_found_error'),
  model_without_route: invalid(404, 'not_found_error'),
  route_not_found: invalid(404, 'not_found_error'),
  response_not_found: invalid(404, 'not_found_error'),
  previous_response_not_found: INVALID,
  conversation_not_found: invalid(404, 'not_found_error'),
  conversation_item_not_found: invalid(404, 'not_found_error'),
  // OpenAI's status.
  conversation_locked: { ...INVALID, retryAfterMs: 1_000 },
  rate_limit_background: RATE_LIMIT,
  websocket_not_supported: invalid(426),
  invalid_request: INVALID,
  invalid_json: INVALID,
  unsupported_parameter: INVALID,
  request_exceeds_tpm: INVALID,
  request_too_large: invalid(413, 'request_too_large'),
  unsupported_media_type: invalid(415),
  request_timeout: { ...invalid(408), retryAfterMs: 1_000 },
  budget_exceeded: BILLING,
  insufficient_balance: BILLING,
  rate_limit_requests: RATE_LIMIT,
  rate_limit_tokens: RATE_LIMIT,
  rate_limit_bodies: RATE_LIMIT,
  budget_reserved: RATE_LIMIT,
  upstream_error: server(502, 'api_error', 1_000),
  upstream_misconfigured: server(502, 'api_error', null),
  upstream_overloaded: server(503, 'overloaded_error', 2_000),
  upstream_paused: server(503, 'overloaded_error', 10_000),
  upstream_busy: server(503, 'overloaded_error', 1_000),
  upstream_timeout: server(504, 'timeout_error', 1_000),
  no_route_available: server(503, 'api_error', null),
  ledger_unavailable: server(503, 'api_error', 2_000),
  gateway_overloaded: server(503, 'overloaded_error', 2_000),
  shutting_down: server(503, 'api_error', 1_000),
  internal_error: server(500, 'api_error', 1_000),
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_TABLE;

/** Codes of ends that only records have. */
export const RECORD_CODES = ['upstream_rejected', 'client_gone', 'replica_lost'] as const;

/** A code that a request can end with in the records. */
export type StoredCode = ErrorCode | (typeof RECORD_CODES)[number];

/** An error for a caller. The message says what happened and what to do, and contains no secrets. */
export interface GatewayError {
  code: ErrorCode;
  message: string;
  /** True: the message is a provider's, which may repeat text of the request. */
  isProviders?: true;
  /** The provider's own code, such as `context_length_exceeded`: callers get it in place of `code`. */
  providerCode?: string;
  /** The invalid request member: `messages.0.role`. */
  param?: string;
  /** Details for recovery in the terms of the dialect; included if the dialect has a member for them. */
  details?: Readonly<Record<string, unknown>>;
  /** Until the same request may succeed; null: it would fail again; absent: as usual for the code. */
  retryAfterMs?: number | null;
}

/** The wait before a retry. @returns null if the same request would fail again */
export function getRetryAfterMs({
  code,
  retryAfterMs,
}: Pick<GatewayError, 'code' | 'retryAfterMs'>): number | null {
  return retryAfterMs === undefined ? ERROR_TABLE[code].retryAfterMs : retryAfterMs;
}

/** A denial is a value. Only infrastructure failures throw. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: GatewayError };

/** More would only repeat what the caller sent. */
const MAX_MESSAGE_LENGTH = 2_000;
const MAX_PARAM_LENGTH = 200;

const shorten = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most)}…`);

/** The message and the name of the parameter are shortened if they repeat long values of the request. */
export function deny(
  code: ErrorCode,
  message: string,
  rest: Omit<GatewayError, 'code' | 'message'> = {},
): {
  ok: false;
  error: GatewayError;
} {
  const error: GatewayError = { code, message: shorten(message, MAX_MESSAGE_LENGTH), ...rest };
  if (typeof rest.param === 'string') error.param = shorten(rest.param, MAX_PARAM_LENGTH);
  return { ok: false, error };
}
