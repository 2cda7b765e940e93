import { asObject, type JsonObject } from '../json/parse-object.ts';
import { readErrorCode } from '../error-code.ts';
import { decodeOpenAiError } from '../openai-chat/decode-error.ts';
import { cutErrorMessage, errorKindOfStatus, type ProviderError } from '../provider-error.ts';
import { isErrorType } from './error-type.ts';

/**
 * Reads the provider's error (https://docs.anthropic.com/en/api/errors).
 * @param body the parsed body; anything if it was no JSON
 */
export function decodeAnthropicError(status: number, body: unknown): ProviderError {
  const error = asObject(asObject(body)?.['error']);
  // An error in another form mostly comes from a proxy or from a server that imitates the provider.
  if (error === null && isForeign(asObject(body))) return decodeOpenAiError(status, body);
  const type = error?.['type'];
  const said = error?.['message'];
  const kind = isErrorType(type) ? type : errorKindOfStatus(status);
  const message =
    typeof said === 'string' && said !== ''
      ? cutErrorMessage(said)
      : `The provider answered with status ${status}.`;
  return { kind, message, code: readErrorCode(kind, { code: null, type, message }) };
}

function isForeign(body: JsonObject | null): boolean {
  return body !== null && ['error', 'message', 'detail'].some((name) => (body[name] ?? null) !== null);
}
