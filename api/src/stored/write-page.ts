import { Buffer } from 'node:buffer';
import { asObject, parseJson, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { takePage, toPage, type PageQuery } from './list-page.ts';
import { showItem } from './shown-item.ts';

/** Whose items a list has: the input of a response, or a conversation, whose list is one of parts. */
export type ListSource = { responseId: string } | 'conversation';

/** A page, or one item. */
export type ListQuery = PageQuery | { itemId: string };

type ShownItem = JsonObject & { id: string };

/** The usual beginnings of ids. */
const ID_PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  function_call_output: 'fco',
};

/**
 * Writes items of a stored list.
 * @param list JSON
 * @returns JSON; null if the query names an item that is not there
 */
export function writeList(list: Buffer, source: ListSource, query: ListQuery): Buffer | null {
  const given = parseJson(list.toString('utf8'));
  const entries = Array.isArray(given) ? given : [];
  const items =
    source === 'conversation'
      ? entries.flatMap((part) => showPart(asObject(part)))
      : entries.map((item, at) => showItem(item, `msg_${source.responseId.replace(/^resp_/, '')}_in${at}`));
  const found = 'itemId' in query ? items.find(({ id }) => id === query.itemId) : writePage(items, query);
  return found === undefined || found === null ? null : Buffer.from(JSON.stringify(found));
}

/** The items of a part of a conversation, without deleted ones. */
function showPart(part: JsonObject | null): ShownItem[] {
  const items = part?.['items'];
  const given = Array.isArray(items) ? items.map(asObject) : [];
  return given.flatMap((item, at) =>
    item === null ? [] : [showItem(item, toItemId(item, String(part?.['id']), at))],
  );
}

/** The id of an item that has none: its place in its part, where deleted items keep theirs. */
export function toItemId(item: JsonObject, partId: string, at: number): string {
  const { type = 'message' } = item;
  return `${ID_PREFIXES[String(type)] ?? 'item'}_${partId}_${at}`;
}

function writePage(items: readonly ShownItem[], query: PageQuery): object | null {
  const page = takePage(items, query);
  return page && toPage(page, query);
}
