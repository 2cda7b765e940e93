import { ERROR_SUMMARIES } from '@tollgate/core/error-summaries';
import { ERROR_TABLE, type ErrorCode } from '@tollgate/core/errors';

/** Written down by the gateway, never answered. */
const UNANSWERED: Record<string, string> = {
  client_gone:
    'The caller left before its answer was complete. What the provider wrote is charged: as it reported it, or by an estimate.',
};

/** Every code that a request can end with. */
export const ERROR_CODES: readonly string[] = [...Object.keys(ERROR_TABLE), ...Object.keys(UNANSWERED)];

/** What an error code means; '' for one that this console does not know. */
export function describeErrorCode(code: string): string {
  return isErrorCode(code) ? ERROR_SUMMARIES[code].replaceAll('`', '') : (UNANSWERED[code] ?? '');
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_TABLE, code);
}
