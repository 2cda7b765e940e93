import { Buffer, isUtf8 } from 'node:buffer';
import { JsonObjectBytes } from '../../json/edit-members.ts';
import { readEntryPlaces } from '../../json/member-places.ts';
import { asObject, parseJsonObject, type JsonObject } from '../../json/parse-object.ts';
import { countValues } from '../../json/count-values.ts';
import { scanBody } from '../../json/scan-body.ts';
import { MAX_ITEM_LENGTH, writeItem } from './carried-items.ts';
import { checksum } from './checksum.ts';

/**
 * Clients that rely on stored responses send back only the ids of items (`item_reference`). No item is kept here, so the id
 * carries its item: `msg_1--item1-<check>-<JSON in base64url>`. Nothing is gained by writing such an id oneself: its item
 * counts as sent by the caller. The check finds ids that were cut or changed.
 */
export const ITEM_MARK = '--item1-';
/** No issued id has it before its mark. */
const MARK_START = /--item1/g;
/** Characters that clients keep in ids. */
const UNUSUAL = /[^\w.:-]/g;
/** The mark, the check and the start of the content. */
const ISSUED = /--item1-[a-z\d]{14}-/;

/** An item that an id carries. */
export interface CarriedItem {
  id: string;
  type: unknown;
  /** As the id contains it. */
  json: string;
}

/** The content of an id: the item that it names, or the items of a whole response. */
export interface Carried {
  isCarrier: boolean;
  items: readonly CarriedItem[];
}

/** @returns the item under an id that carries it; the item itself if it has no id, is too long, or has such an id already */
export function carryItem(item: JsonObject): JsonObject {
  const { id } = item;
  if (typeof id !== 'string' || id === '' || openItemId(id) !== null) return item;
  const json = writeItem(item);
  return json.length > MAX_ITEM_LENGTH ? item : { ...item, id: sealItems(id, `{"item":${json}}`) };
}

/** True for an id that looks like one of those. */
export function carriesItem(id: unknown): id is string {
  return typeof id === 'string' && id.includes(ITEM_MARK);
}

/** True for an id that was issued here, even if it was changed or cut later. */
export function wasIssued(id: string): boolean {
  return ISSUED.test(id);
}

/**
 * @param budget how many values the ids of a body may still carry, of which those of this id are taken; absent: any number
 * @returns null if the id was changed, does not carry an item, or carries more values
 */
export function openItemId(id: string, budget: { values: number } = { values: Infinity }): Carried | null {
  const parts = splitId(id);
  if (parts === null || getCheck(parts.own, parts.payload) !== parts.check) return null;
  const json = Buffer.from(parts.payload, 'base64url');
  // Replacement characters would make the item longer than its id.
  if (!isUtf8(json) || scanBody(json) !== null) return null;
  const text = json.toString('utf8');
  budget.values -= countValues(text, budget.values);
  const content = budget.values < 0 ? null : parseJsonObject(text);
  if (content === null) return null;
  const { item, items } = content;
  const isCarrier = Array.isArray(items);
  const place = new JsonObjectBytes(json).findPlace(isCarrier ? 'items' : 'item');
  if (place === null) return null;
  const values: unknown[] = isCarrier ? items : [item];
  const places = isCarrier ? readEntryPlaces(json, place.start) : [place.start, place.end];
  const carried = values.flatMap((value, index): CarriedItem[] => {
    const { id: itemId, type } = asObject(value) ?? {};
    const own = json.toString('utf8', places[2 * index], places[2 * index + 1]);
    return typeof itemId === 'string' ? [{ id: itemId, type, json: own }] : [];
  });
  return carried.length === 0 ? null : { isCarrier, items: carried };
}

/**
 * @param id the visible part: readers find the item's own id in the content
 * @param json an object with one `item`, or a list of `items`
 */
export function sealItems(id: string, json: string): string {
  const own = id.replace(UNUSUAL, '_').replace(MARK_START, '_');
  const payload = Buffer.from(json).toString('base64url');
  return `${own}${ITEM_MARK}${getCheck(own, payload)}-${payload}`;
}

/** Searches for each separator once: a regular expression would try every mark of a long id that a caller made up. */
function splitId(id: string): { own: string; check: string; payload: string } | null {
  const mark = id.indexOf(ITEM_MARK);
  const start = mark + ITEM_MARK.length;
  const end = id.indexOf('-', start);
  if (mark < 0 || end < 0) return null;
  return { own: id.slice(0, mark), check: id.slice(start, end), payload: id.slice(end + 1) };
}

function getCheck(id: string, payload: string): string {
  return checksum(`${id} ${payload}`);
}
