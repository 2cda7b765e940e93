import type { JsonObject } from '../json/parse-object.ts';
import { isErrorType } from './error-type.ts';

/** Writes an error's body, which is also the data of an `error` event; kinds that the dialect has not are `api_error`. */
export function encodeAnthropicError(
  error: { kind: string; message: string },
  requestId: string,
): JsonObject {
  const type = isErrorType(error.kind) ? error.kind : 'api_error';
  return { type: 'error', error: { type, message: error.message }, request_id: requestId };
}
