import { ERROR_TABLE } from '@tollgate/core/errors/errors';
import type { JsonObject } from '../json/parse-object.ts';
import { describeStreamError } from '../openai-chat/encode-stream-error.ts';

/** The code of the error that ended a response; these codes are a closed list. */
function codeOfResponse(kind: string): string {
  switch (kind) {
    case 'rate_limit_error':
    case 'overloaded_error':
      return 'rate_limit_exceeded';
    case 'invalid_request_error':
    case 'request_too_large':
      return 'invalid_prompt';
    default:
      return 'server_error';
  }
}

/** Writes the `error` event without its type and number. The type of the error has no place in it. */
export function encodeStreamErrorEvent(kind: string, message: string): JsonObject {
  const { code, message: told } = describeStreamError(kind, message);
  return { code, message: told, param: null };
}

/** Writes the `error` of a failed response. */
export function encodeResponseError(kind: string, message: string): JsonObject {
  const { code, message: told } = describeStreamError(kind, message);
  return { code: codeOfResponse(kind), message: told, type: ERROR_TABLE[code].openaiType };
}
