import type { ReportedError } from '../account-trouble.ts';
import { CONTEXT_LENGTH_EXCEEDED } from '../error-code.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { describeStreamError } from '../openai-chat/encode-stream-error.ts';

/**
 * The code of the error that ended a response. These codes are a closed list, except for `context_length_exceeded`, which
 * OpenAI also sends.
 */
export function codeOfResponse(kind: string, code: string): string {
  if (code === CONTEXT_LENGTH_EXCEEDED) return code;
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
export function encodeStreamErrorEvent(reported: ReportedError): JsonObject {
  const { code, message } = describeStreamError(reported);
  return { code, message, param: null };
}

/** Writes the `error` of a failed response. */
export function encodeResponseError(reported: ReportedError): JsonObject {
  const { code, message, type } = describeStreamError(reported);
  return { code: codeOfResponse(reported.kind, code), message, type };
}
