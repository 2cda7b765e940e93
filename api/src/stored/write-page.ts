import { Buffer } from 'node:buffer';
import { writeJson } from '@tollgate/dialects/json/heap-guard';
import { asObject, parseJson, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { readEntryPlaces } from '@tollgate/dialects/json/member-places';
import { takePage, toPage, type PageQuery } from './list-page.ts';
import { showItem } from './shown-item.ts';

/** Whose items a list has: the input of a response, or a conversation, whose list is one of parts. */
export type ListSource = { responseId: string } | 'conversation';

/** A page, or one item. */
export type ListQuery = PageQuery | { itemId: string };

/** An item as text: parsed items of many parts together may need more memory than a thread has. */
interface WrittenItem {
  id: string;
  json: string;
}

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
  const read = source === 'conversation' ? readConversation : readInput(source.responseId);
  const found =
    'itemId' in query
      ? findItem(read(list, true), query.itemId)
      : writePage(read(list, query.isAscending), query);
  return found === null ? null : Buffer.from(found);
}

/**
 * The items of a conversation, without deleted ones. Only one part at a time is in memory: together, they may have more values
 * than a body.
 */
function* readConversation(list: Buffer, isAscending: boolean): Generator<WrittenItem> {
  const places = readEntryPlaces(list, 0);
  const parts = places.length / 2;
  for (let turn = 0; turn < parts; turn += 1) {
    const at = isAscending ? turn : parts - 1 - turn;
    const part = asObject(parseJson(list.toString('utf8', places[2 * at], places[2 * at + 1])));
    const items = part?.['items'];
    if (Array.isArray(items))
      yield* inOrder(items, isAscending, (item, index) => {
        const given = asObject(item);
        return given === null ? null : showItem(given, toItemId(given, String(part?.['id']), index));
      });
  }
}

const readInput = (responseId: string) =>
  function* read(list: Buffer, isAscending: boolean): Generator<WrittenItem> {
    const given = parseJson(list.toString('utf8'));
    const name = `msg_${responseId.replace(/^resp_/, '')}`;
    if (Array.isArray(given))
      yield* inOrder(given, isAscending, (item, index) => showItem(item, `${name}_in${index}`));
  };

function* inOrder(
  items: readonly unknown[],
  isAscending: boolean,
  show: (item: unknown, index: number) => (JsonObject & { id: string }) | null,
): Generator<WrittenItem> {
  for (let turn = 0; turn < items.length; turn += 1) {
    const index = isAscending ? turn : items.length - 1 - turn;
    const shown = show(items[index], index);
    if (shown !== null) yield { id: shown.id, json: writeJson(shown) };
  }
}

function findItem(items: Iterable<WrittenItem>, itemId: string): string | null {
  for (const { id, json } of items) if (id === itemId) return json;
  return null;
}

/** The id of an item that has none: its place in its part, where deleted items keep theirs. */
export function toItemId(item: JsonObject, partId: string, at: number): string {
  const { type = 'message' } = item;
  return `${ID_PREFIXES[String(type)] ?? 'item'}_${partId}_${at}`;
}

function writePage(items: Iterable<WrittenItem>, query: PageQuery): string | null {
  const page = takePage(items, query);
  if (page === null) return null;
  const { data, ...rest } = toPage(page, query);
  // In the order in which OpenAI writes them.
  return `{"object":"list","data":[${data.map(({ json }) => json).join(',')}],${JSON.stringify(rest).slice(1)}`;
}
