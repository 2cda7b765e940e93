import { asObject, type JsonObject } from '../json/parse-object.ts';
import { decodeOpenAiError } from '../openai-chat/decode-error.ts';
import { errorKindOfStatus, type ProviderError } from '../provider-error.ts';
import { isErrorType } from './error-type.ts';

/**
 * Reads the provider's error (https://docs.anthropic.com/en/api/errors).
 * @param body the parsed body; anything if it was no JSON
 */
export function decodeAnthropicError(status: number, body: unknown): ProviderError {
  const error = asObject(asObject(body)?.['error']);
  // An error in another form mostly comes from a proxy or from a server that imitates the provider.
  if (error === null && isForeign(asObject(body))) return decodeOpenAiError(status, body);
  const { type, message } = { type: undefined, message: undefined, ...error };
  return {
    kind: isErrorType(type) ? type : errorKindOfStatus(status),
    message:
      typeof message === 'string' && message !== ''
        ? message
        : `The provider answered with status ${status}.`,
  };
}

function isForeign(body: JsonObject | null): boolean {
  return body !== null && ['error', 'message', 'detail'].some((name) => (body[name] ?? null) !== null);
}
