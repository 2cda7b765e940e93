import { asObject, type JsonObject } from '../json/parse-object.ts';
import { holdsError, saysError } from '../says-error.ts';

/**
 * True for an error instead of a response or an event, for a failed response, and for the event that ends one.
 * @param name of the event; null: it has none, or the body is whole
 */
export function isResponsesError(body: JsonObject, name: string | null = null): boolean {
  if (saysError(body, name) || (body['type'] ?? name) === 'response.failed' || body['status'] === 'failed')
    return true;
  const response = asObject(body['response']);
  return response !== null && (response['status'] === 'failed' || holdsError(response));
}
