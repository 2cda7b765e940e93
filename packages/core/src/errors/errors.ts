/**
 * The errors of the API: code, HTTP status, and error type in each dialect.
 * Every code must have a type for both dialects.
 */
export interface ErrorKind {
  status: number;
  openaiType: string;
  anthropicType: string;
}

const AUTHENTICATION = {
  status: 401,
  openaiType: 'authentication_error',
  anthropicType: 'authentication_error',
};
const PERMISSION = { status: 403, openaiType: 'permission_error', anthropicType: 'permission_error' };
const INVALID = { status: 400, openaiType: 'invalid_request_error', anthropicType: 'invalid_request_error' };
const RATE_LIMIT = { status: 429, openaiType: 'rate_limit_error', anthropicType: 'rate_limit_error' };
/** Not 429, because SDKs retry it. */
const BILLING = { status: 402, openaiType: 'billing_error', anthropicType: 'billing_error' };
const server = (status: number, anthropicType: string) => ({
  status,
  openaiType: 'server_error',
  anthropicType,
});

export const ERROR_TABLE = {
  missing_api_key: AUTHENTICATION,
  malformed_api_key: AUTHENTICATION,
  invalid_api_key: AUTHENTICATION,
  revoked_api_key: AUTHENTICATION,
  expired_api_key: AUTHENTICATION,
  model_not_allowed: PERMISSION,
  account_suspended: PERMISSION,
  model_not_found: { status: 404, openaiType: 'invalid_request_error', anthropicType: 'not_found_error' },
  route_not_found: { status: 404, openaiType: 'invalid_request_error', anthropicType: 'not_found_error' },
  invalid_request: INVALID,
  invalid_json: INVALID,
  unsupported_parameter: INVALID,
  request_exceeds_tpm: INVALID,
  request_too_large: { status: 413, openaiType: 'invalid_request_error', anthropicType: 'request_too_large' },
  unsupported_media_type: {
    status: 415,
    openaiType: 'invalid_request_error',
    anthropicType: 'invalid_request_error',
  },
  request_timeout: {
    status: 408,
    openaiType: 'invalid_request_error',
    anthropicType: 'invalid_request_error',
  },
  budget_exceeded: BILLING,
  insufficient_balance: BILLING,
  rate_limit_requests: RATE_LIMIT,
  rate_limit_tokens: RATE_LIMIT,
  rate_limit_bodies: RATE_LIMIT,
  budget_reserved: RATE_LIMIT,
  upstream_error: server(502, 'api_error'),
  upstream_misconfigured: server(502, 'api_error'),
  upstream_overloaded: server(503, 'overloaded_error'),
  upstream_timeout: server(504, 'timeout_error'),
  no_route_available: server(503, 'api_error'),
  ledger_unavailable: server(503, 'api_error'),
  gateway_overloaded: server(503, 'overloaded_error'),
  shutting_down: server(503, 'api_error'),
  internal_error: server(500, 'api_error'),
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_TABLE;

/** An error for a caller. The message says what happened and what to do, and contains no secrets. */
export interface GatewayError {
  code: ErrorCode;
  message: string;
  /** The provider's own code, such as `context_length_exceeded`: callers get it in place of `code`. */
  providerCode?: string;
  /** The invalid request member: `messages.0.role`. */
  param?: string;
  /** Details for recovery in the terms of the dialect; included if the dialect has a member for them. */
  details?: Readonly<Record<string, unknown>>;
  /** Seconds until the same request may succeed. */
  retryAfterSeconds?: number;
  /** True: the same request would fail again, whatever the status says. */
  isPermanent?: true;
}

/** A denial is a value. Only infrastructure failures throw. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: GatewayError };

export function deny(
  code: ErrorCode,
  message: string,
  rest: Omit<GatewayError, 'code' | 'message'> = {},
): {
  ok: false;
  error: GatewayError;
} {
  return { ok: false, error: { code, message, ...rest } };
}
