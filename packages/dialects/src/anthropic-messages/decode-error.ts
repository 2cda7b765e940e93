import { asObject } from '../json/parse-object.ts';
import { errorKindOfStatus, type ProviderError } from '../provider-error.ts';
import { isErrorType } from './error-type.ts';

/**
 * Reads the provider's error (https://docs.anthropic.com/en/api/errors).
 * @param body the parsed body; anything where it was no JSON
 */
export function decodeAnthropicError(status: number, body: unknown): ProviderError {
  const error = asObject(asObject(body)?.['error']);
  const { type, message } = { type: undefined, message: undefined, ...error };
  return {
    kind: isErrorType(type) ? type : errorKindOfStatus(status),
    message:
      typeof message === 'string' && message !== ''
        ? message
        : `The provider answered with status ${status}.`,
  };
}
