import type { JsonObject } from './json/parse-object.ts';

/**
 * True if an event or a whole body is an error by the marks of all dialects: its name, its type, or its member `error`.
 * @param name of the event; null: it has none
 */
export function saysError(body: JsonObject, name: string | null): boolean {
  return name === 'error' || body['type'] === 'error' || body['object'] === 'error' || holdsError(body);
}

/** True if the member `error` is set. */
export function holdsError({ error }: JsonObject): boolean {
  return error !== undefined && error !== null && error !== false && error !== '';
}
