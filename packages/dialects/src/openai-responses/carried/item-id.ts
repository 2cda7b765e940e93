import { Buffer } from 'node:buffer';
import { asObject, parseJsonObject, type JsonObject } from '../../json/parse-object.ts';
import { checksum } from './checksum.ts';

/**
 * Clients that rely on stored responses send back only the ids of items (`item_reference`). No item is kept here, so the id
 * carries its item: `msg_1--item1-<check>-<JSON in base64url>`. Nothing is gained by writing such an id oneself: its item
 * counts as sent by the caller. The check finds ids that were cut or changed.
 */
export const ITEM_MARK = '--item1-';
/** Longer items keep their own id: generated images, for example. */
const MAX_ITEM_LENGTH = 256 * 1024;
/** All items of one carrier. */
const MAX_ITEMS_LENGTH = 1024 * 1024;

/** The content of an id: the item that it names, or the items of a whole response. */
export type Carried = { item: JsonObject } | { items: JsonObject[] };

/** @returns the item under an id that carries it; the item itself if it has no id, or is too long */
export function carryItem(item: JsonObject): JsonObject {
  const { id } = item;
  if (typeof id !== 'string' || id === '' || id.includes(ITEM_MARK)) return item;
  const json = JSON.stringify({ item: withoutLogprobs(item) });
  return json.length > MAX_ITEM_LENGTH ? item : { ...item, id: seal(id, json) };
}

/**
 * The item that carries the items of a streamed response, whose own ids are sent before their content. It is an empty
 * reasoning item, which clients keep and refer to like any other.
 * @returns null if there is none to carry
 */
export function getCarrier(items: readonly JsonObject[], stem: string): JsonObject | null {
  const carried: JsonObject[] = [];
  let length = 0;
  for (const item of items) {
    if (typeof item['id'] !== 'string' || item['id'] === '') continue;
    const own = withoutLogprobs(item);
    const size = JSON.stringify(own).length;
    if (size > MAX_ITEM_LENGTH || length + size > MAX_ITEMS_LENGTH) continue;
    length += size;
    carried.push(own);
  }
  if (carried.length === 0) return null;
  return { id: seal(`rs_${stem}`, JSON.stringify({ items: carried })), type: 'reasoning', summary: [] };
}

/** True for an id that looks like one of those. */
export function carriesItem(id: unknown): id is string {
  return typeof id === 'string' && id.includes(ITEM_MARK);
}

/** @returns null if the id was changed, or does not carry an item */
export function openItemId(id: string): Carried | null {
  const parts = splitId(id);
  if (parts === null || getCheck(parts.own, parts.payload) !== parts.check) return null;
  const { payload } = parts;
  const content = parseJsonObject(Buffer.from(payload, 'base64url').toString('utf8'));
  const item = asObject(content?.['item']);
  if (item !== null) return { item };
  const items: unknown = content?.['items'];
  if (!Array.isArray(items)) return null;
  return { items: items.map(asObject).filter((each) => each !== null) };
}

/** Searches for each separator once: a regular expression would try every mark of a long id that a caller made up. */
function splitId(id: string): { own: string; check: string; payload: string } | null {
  const mark = id.indexOf(ITEM_MARK);
  const start = mark + ITEM_MARK.length;
  const end = id.indexOf('-', start);
  if (mark < 0 || end < 0) return null;
  return { own: id.slice(0, mark), check: id.slice(start, end), payload: id.slice(end + 1) };
}

function seal(id: string, json: string): string {
  const payload = Buffer.from(json).toString('base64url');
  return `${id}${ITEM_MARK}${getCheck(id, payload)}-${payload}`;
}

function getCheck(id: string, payload: string): string {
  return checksum(`${id} ${payload}`);
}

/** No request repeats them. */
function withoutLogprobs(item: JsonObject): JsonObject {
  const { content } = item;
  if (!Array.isArray(content) || !content.some((part) => asObject(part)?.['logprobs'] !== undefined))
    return item;
  return {
    ...item,
    content: content.map((part: unknown) => {
      const { logprobs: _, ...rest } = asObject(part) ?? {};
      return rest;
    }),
  };
}
