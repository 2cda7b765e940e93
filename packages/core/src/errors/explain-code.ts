import { ERROR_SUMMARIES } from './error-summaries.ts';
import { ERROR_TABLE, type RECORD_CODES, type ErrorCode } from './errors.ts';
import { OPERATOR_SUMMARIES } from './operator-summaries.ts';

type RecordCode = (typeof RECORD_CODES)[number];

const RECORD_SUMMARIES: Readonly<Record<RecordCode, string>> = {
  upstream_rejected: 'The provider rejected the request. Its message says why.',
  client_gone:
    'The client disconnected, or cancelled the response, before it was complete. Generated output is charged, as reported or estimated.',
  replica_lost: 'The gateway process that handled the request stopped unexpectedly.',
};

export interface CodeExplanation {
  /** What it means for a caller, without Markdown. */
  caller: string;
  /** What an operator can do about it. */
  operator: string;
}

/** @returns null if the code is unknown */
export function explainCode(code: string): CodeExplanation | null {
  if (isErrorCode(code))
    return { caller: ERROR_SUMMARIES[code].replaceAll('`', ''), operator: OPERATOR_SUMMARIES[code] };
  if (isRecordCode(code)) return { caller: RECORD_SUMMARIES[code], operator: OPERATOR_SUMMARIES[code] };
  return null;
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_TABLE, code);
}

function isRecordCode(code: string): code is RecordCode {
  return Object.hasOwn(RECORD_SUMMARIES, code);
}
