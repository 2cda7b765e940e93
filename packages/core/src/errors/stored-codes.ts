import { ERROR_TABLE, RECORD_CODES, type ErrorCode, type StoredCode } from './errors.ts';

/** Every code that a request can end with. */
export const STORED_CODES: readonly StoredCode[] = [
  ...Object.keys(ERROR_TABLE).filter((code): code is ErrorCode => Object.hasOwn(ERROR_TABLE, code)),
  ...RECORD_CODES,
];
