import { isReferenceName } from './is-reference-name.ts';
import { asObject, type JsonObject } from './json/parse-object.ts';

const ADDRESS = /^\s*(?:[a-z][a-z0-9+.-]*:\/\/|data:)/i;
/** Nothing real goes deeper. */
const MAX_DEPTH = 8;

/**
 * True if an item of an unknown kind is all there, as text: its bytes bound its tokens. False if it may refer to, pack or
 * make the provider fetch something of another size.
 */
export function isInline(item: JsonObject): boolean {
  return isInlineObject(item, null, MAX_DEPTH);
}

/** @param owner the name of the member that holds the object; null: none */
function isInlineObject(object: JsonObject, owner: string | null, levels: number): boolean {
  if (levels === 0) return false;
  return Object.entries(object).every(
    ([name, value]) =>
      isEmpty(value) || (!isReferenceName(name, owner) && isInlineValue(value, name, levels)),
  );
}

function isInlineValue(value: unknown, owner: string, levels: number): boolean {
  if (typeof value === 'string') return !ADDRESS.test(value);
  if (Array.isArray(value))
    return levels > 1 && value.every((each) => isInlineValue(each, owner, levels - 1));
  const object = asObject(value);
  return object === null || isInlineObject(object, owner, levels - 1);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}
