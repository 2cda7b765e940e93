import { ERROR_SUMMARIES } from '@tollgate/core/error-summaries';
import { ERROR_TABLE, type ErrorCode } from '@tollgate/core/errors';

/** Codes that are none of the gateway's own errors. */
const OTHERS: Record<string, string> = {
  upstream_rejected: 'The provider rejected the request. Its message says why.',
  client_gone:
    'The caller left before its answer was complete. What the provider wrote is charged: as it reported it, or by an estimate.',
};

/** Every code that a request can end with. */
export const ERROR_CODES: readonly string[] = [...Object.keys(ERROR_TABLE), ...Object.keys(OTHERS)];

/** What an error code means; '' for one that this console does not know. */
export function describeErrorCode(code: string): string {
  return isErrorCode(code) ? ERROR_SUMMARIES[code].replaceAll('`', '') : (OTHERS[code] ?? '');
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_TABLE, code);
}
