import { asObject, type JsonObject } from '../json/parse-object.ts';
import { decodeOpenAiError, decodeOpenAiStreamError } from '../openai-chat/decode-error.ts';
import type { ProviderError } from '../provider-error.ts';

/**
 * Reads the body of an error, which OpenAI writes alike in both of its dialects, or a response of status
 * 200 that reports a failure.
 * @param body the parsed body; its text if it is not JSON
 */
export function decodeOpenAiResponsesError(status: number, body: unknown): ProviderError {
  const response = asObject(body);
  return response?.['object'] === 'response'
    ? decodeOpenAiResponsesStreamError({ response })
    : decodeOpenAiError(status, body);
}

/**
 * Reads an error event of a stream: `error`, whose members are in the event or in its `error` object, or
 * `response.failed`.
 */
export function decodeOpenAiResponsesStreamError(event: JsonObject): ProviderError {
  const error = asObject(asObject(event['response'])?.['error']) ?? asObject(event['error']) ?? event;
  const { type, ...rest } = error;
  // The type of the event is not one of the error.
  return decodeOpenAiStreamError({ error: type === 'error' ? rest : error });
}
