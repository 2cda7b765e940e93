import { asObject, type JsonObject } from './json/parse-object.ts';

/** Members that name something that the provider stores or fetches, or that hold packed data. */
const REFERENCE =
  /(?:^|_)(?:ur[il]|href|path|file|files|file_ids?|store_ids?|container|container_id|data|bytes)$/i;
const ADDRESS = /^\s*(?:[a-z][a-z0-9+.-]*:\/\/|data:)/i;
/** Nothing real goes deeper. */
const MAX_DEPTH = 8;

/**
 * True if an item of an unknown kind is all there, as text: its bytes bound its tokens. False if it may refer to, pack or
 * make the provider fetch something of another size.
 */
export function isInline(item: JsonObject, levels = MAX_DEPTH): boolean {
  if (levels === 0) return false;
  return Object.entries(item).every(
    ([name, value]) => isEmpty(value) || (!REFERENCE.test(name) && isInlineValue(value, levels)),
  );
}

function isInlineValue(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return !ADDRESS.test(value);
  if (Array.isArray(value)) return levels > 1 && value.every((each) => isInlineValue(each, levels - 1));
  const object = asObject(value);
  return object === null || isInline(object, levels - 1);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}
