import { asObject, type JsonObject } from '../json/parse-object.ts';
import { noteStoredId } from './nested-names.ts';
import type { StoredId } from './stored-ids.ts';

/** What the conversation of a request has that contracts classify; its text is not looked into. */
export interface ConversationFacts {
  /** Lists of tools that its items declare, by where they are: `input.2.tools`. */
  declared: { param: string; tools: readonly unknown[] }[];
  /** The first of each kind. */
  storedIds: StoredId[];
}

/** No real content is nested deeper: a result holds a document, which holds parts. */
const MAX_LEVELS = 6;
/** Members of an item or a part that hold further parts, or say where its content comes from. */
const PARTS: ReadonlySet<string> = new Set([
  'content',
  'output',
  'source',
  'file',
  'audio',
  'environment',
  'input_file',
]);
/** Members that hold a stored id. */
const ID_MEMBERS: ReadonlySet<string> = new Set(['file_id', 'container_id', 'image_id', 'connector_id']);
const CONVERSATION_MEMBERS = ['messages', 'input', 'system'] as const;

/**
 * Walks the items and parts of a conversation.
 * @returns null if it has none of these
 */
export function readConversation(body: JsonObject): ConversationFacts | null {
  let facts: ConversationFacts | null = null;
  const open = () => (facts ??= { declared: [], storedIds: [] });
  for (const name of CONVERSATION_MEMBERS) {
    const items = body[name];
    if (!Array.isArray(items)) continue;
    for (let at = 0; at < items.length; at += 1) {
      const item = asObject(items[at]);
      if (item === null) continue;
      if (Array.isArray(item['tools'])) {
        const tools: unknown[] = item['tools'];
        open().declared.push({ param: `${name}.${at}.tools`, tools });
      }
      visitPart(item, [name, at], open);
    }
  }
  return facts;
}

type Path = readonly (string | number)[];

function visitPart(part: JsonObject, path: Path, open: () => ConversationFacts): void {
  // Most parts have few members: they are looked up by those, not by all names that count.
  for (const name in part) {
    const value = part[name];
    if (value === undefined || value === null || !ID_MEMBERS.has(name)) continue;
    const noted: StoredId[] = [];
    noteStoredId(noted, name, { value, param: [...path, name].join('.') });
    for (const id of noted) addFirst(open().storedIds, id);
  }
  if (path.length > MAX_LEVELS * 2) return;
  for (const name in part) {
    const value = part[name];
    if (typeof value !== 'object' || value === null || !PARTS.has(name)) continue;
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at += 1) {
        const inner = asObject(value[at]);
        if (inner !== null) visitPart(inner, [...path, name, at], open);
      }
      continue;
    }
    const inner = asObject(value);
    if (inner === null) continue;
    // A spoken answer that the provider keeps: `{"role":"assistant","audio":{"id":"audio_1"}}`.
    if (name === 'audio' && typeof inner['id'] === 'string')
      addFirst(open().storedIds, { kind: 'media', param: [...path, name, 'id'].join('.') });
    visitPart(inner, [...path, name], open);
  }
}

function addFirst(found: StoredId[], id: StoredId): void {
  if (!found.some(({ kind }) => kind === id.kind)) found.push(id);
}
