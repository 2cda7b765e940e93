import { ERROR_TABLE, type ErrorCode } from '@tollgate/core/errors';

/** What a provider's error is to the caller; a fault of the gateway's own credential is told as such, and no more. */
function codeOf(kind: string): ErrorCode {
  switch (kind) {
    case 'overloaded_error':
    case 'rate_limit_error':
      return 'upstream_overloaded';
    case 'timeout_error':
      return 'upstream_timeout';
    case 'authentication_error':
    case 'permission_error':
    case 'billing_error':
      return 'upstream_misconfigured';
    case 'invalid_request_error':
    case 'request_too_large':
      return 'invalid_request';
    default:
      return 'upstream_error';
  }
}

/** Writes the event that tells of an error in a stream that has begun; nothing follows it, not even `[DONE]`. */
export function encodeStreamError(kind: string, message: string): string {
  const code = codeOf(kind);
  const told =
    code === 'upstream_misconfigured' ? 'The provider refused the credential of this gateway.' : message;
  const error = { message: told, type: ERROR_TABLE[code].openaiType, param: null, code };
  return `data: ${JSON.stringify({ error })}\n\n`;
}
