import { Buffer } from 'node:buffer';
import { asObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { isStoredItem } from '@tollgate/dialects/openai-responses/stored-item';
import { getInside, isItemInput, toItemList } from '../stored/item-lists.ts';

const OPEN_OBJECT = 0x7b;
const LIST_START = Buffer.from('[');
const LIST_END = Buffer.from(']');
const COMMA = Buffer.from(',');

/**
 * Reads the items of an input.
 * @param input JSON of a text or a list
 * @returns a copy of the inside of the list; empty without items; null if it is neither
 */
export function readItems(input: Buffer): Buffer | null {
  if (!isItemInput(input)) return null;
  return Buffer.from(getInside(toItemList(input)));
}

/** The output that the next request repeats. Items of the provider that only name what it kept are left out. */
export function readOutput({ output }: JsonObject): Buffer {
  const items = (Array.isArray(output) ? output.map(asObject) : []).filter(
    (item) => item !== null && !isStoredItem(item),
  );
  return Buffer.from(JSON.stringify(items).slice(1, -1));
}

/**
 * Writes items before those of a body.
 * @param place of its input; null: it has none
 * @param own the items of its input
 */
export function joinItems(
  body: Buffer,
  { place, own, earlier }: { place: Place | null; own: Buffer; earlier: readonly Buffer[] },
): Buffer {
  const all = [...earlier, own].filter(({ length }) => length > 0);
  const list = [
    LIST_START,
    ...all.flatMap((items, index) => (index === 0 ? [items] : [COMMA, items])),
    LIST_END,
  ];
  if (place === null) return withMember(body, 'input', Buffer.concat(list));
  return Buffer.concat([body.subarray(0, place.start), ...list, body.subarray(place.end)]);
}

/** Adds a member. @param body an object that is not empty. @param value JSON */
export function withMember(body: Buffer, name: string, value: Buffer): Buffer {
  const at = body.indexOf(OPEN_OBJECT) + 1;
  const start = Buffer.from(`${JSON.stringify(name)}:`);
  return Buffer.concat([body.subarray(0, at), start, value, COMMA, body.subarray(at)]);
}

interface Place {
  start: number;
  end: number;
}
