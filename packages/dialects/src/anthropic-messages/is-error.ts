import type { JsonObject } from '../json/parse-object.ts';
import { saysError } from '../says-error.ts';

/**
 * True for an error instead of a message or an event.
 * @param name of the event; null: it has none, or the body is whole
 */
export function isMessagesError(body: JsonObject, name: string | null = null): boolean {
  return saysError(body, name);
}
