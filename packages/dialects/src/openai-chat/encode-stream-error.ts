import { ERROR_TABLE, type ErrorCode } from '@tollgate/core/errors/errors';
import { getAccountErrorMessage, isAccountError, type ReportedError } from '../account-trouble.ts';

function getCode(kind: string): ErrorCode {
  switch (kind) {
    case 'overloaded_error':
    case 'rate_limit_error':
      return 'upstream_overloaded';
    case 'timeout_error':
      return 'upstream_timeout';
    case 'invalid_request_error':
    case 'permission_error':
    case 'request_too_large':
      return 'invalid_request';
    default:
      return 'upstream_error';
  }
}

/**
 * What the caller receives for a provider's error inside a stream. The provider's own code is more exact than that of the
 * kind; an error of the gateway's own credential is reported without details.
 */
export function describeStreamError(error: ReportedError): { code: string; message: string; type: string } {
  if (isAccountError(error)) {
    const code = 'upstream_misconfigured';
    return { code, message: getAccountErrorMessage(error), type: ERROR_TABLE[code].openaiType };
  }
  const code = getCode(error.kind);
  return { code: error.code ?? code, message: error.message, type: ERROR_TABLE[code].openaiType };
}

/** Writes the error event of a stream that has begun; nothing follows it, not even `[DONE]`. */
export function encodeStreamError(reported: ReportedError): string {
  const { message, type, code } = describeStreamError(reported);
  return `data: ${JSON.stringify({ error: { message, type, param: null, code } })}\n\n`;
}
