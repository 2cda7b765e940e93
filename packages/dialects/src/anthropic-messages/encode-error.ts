import type { JsonObject } from '../json/parse-object.ts';
import { messageForAnthropic } from '../error-code.ts';
import { isErrorType } from './error-type.ts';

/** Writes an error's body, which is also the data of an `error` event; kinds that the dialect has not are `api_error`. */
export function encodeAnthropicError(
  error: { kind: string; message: string; code?: string | null },
  requestId: string,
): JsonObject {
  const type = isErrorType(error.kind) ? error.kind : 'api_error';
  const message = messageForAnthropic(error.code ?? null, error.message);
  return { type: 'error', error: { type, message }, request_id: requestId };
}
