import { ERROR_TABLE, type ErrorCode } from '@tollgate/core/errors/errors';

/** Error code for the caller; a fault of the gateway's own credential is reported without details. */
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

/** What the caller receives for a provider's error inside a stream. */
export function describeStreamError(kind: string, message: string): { code: ErrorCode; message: string } {
  const code = codeOf(kind);
  const isOurs = code === 'upstream_misconfigured';
  return { code, message: isOurs ? 'The provider refused the credential of this gateway.' : message };
}

/** Writes the error event of a stream that has begun; nothing follows it, not even `[DONE]`. */
export function encodeStreamError(kind: string, message: string): string {
  const told = describeStreamError(kind, message);
  const { openaiType: type } = ERROR_TABLE[told.code];
  const error = { message: told.message, type, param: null, code: told.code };
  return `data: ${JSON.stringify({ error })}\n\n`;
}
