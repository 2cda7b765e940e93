import { asObject, type JsonObject } from '../json/parse-object.ts';
import { isErrorType } from './error-type.ts';

const MAX_MESSAGE_LENGTH = 8_000;

/**
 * Keeps the type and the redacted message of an Anthropic error body. Everything else is dropped.
 * @returns null if the body is not an error of this dialect
 */
export function cleanAnthropicError(
  body: unknown,
  redact: (text: string) => string,
  requestId: string,
): JsonObject | null {
  const parsed = asObject(body);
  const error = asObject(parsed?.['error']);
  const type = error?.['type'];
  const message = error?.['message'];
  if (parsed?.['type'] !== 'error' || !isErrorType(type) || typeof message !== 'string') return null;
  return {
    type: 'error',
    error: { type, message: redact(message).slice(0, MAX_MESSAGE_LENGTH) },
    request_id: requestId,
  };
}
