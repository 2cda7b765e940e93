import { ERROR_SUMMARIES } from '@tollgate/core/errors/error-summaries';
import { ERROR_TABLE, type ErrorCode } from '@tollgate/core/errors/errors';
import type { OTHER_CODES } from './error-codes.ts';

const OTHERS: Record<(typeof OTHER_CODES)[number], string> = {
  upstream_rejected: 'The provider rejected the request. Its message says why.',
  client_gone:
    'The client disconnected, or cancelled the response, before it was complete. Generated output is charged, as reported or estimated.',
  replica_lost: 'The gateway process that handled the request stopped unexpectedly.',
};

/** Describes an error code; '' if it is unknown to this console. */
export function describeErrorCode(code: string): string {
  if (isErrorCode(code)) return ERROR_SUMMARIES[code].replaceAll('`', '');
  return isOther(code) ? OTHERS[code] : '';
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_TABLE, code);
}

function isOther(code: string): code is keyof typeof OTHERS {
  return Object.hasOwn(OTHERS, code);
}
