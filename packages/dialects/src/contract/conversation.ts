import { asObject, type JsonObject } from '../json/parse-object.ts';
import { storedKindOfAddress } from './content-address.ts';
import { findItemSettings, type ItemSettings } from './item-settings.ts';
import { noteStoredId } from './nested-names.ts';
import type { StoredId } from './stored-ids.ts';

/** The parts of a request's conversation that contracts classify; its text is not read. */
export interface ConversationFacts {
  /** The tools that its items declare, by place: `input.2.tools`; a list, if they are valid. */
  declared: { param: string; tools: unknown }[];
  /** The first of each kind. */
  storedIds: StoredId[];
  /** Items of `input` that may set what members of the request set. */
  settings: ItemSettings[];
}

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
/** Members that hold the address of content, or an object with it as `url`. */
const ADDRESS_MEMBERS: ReadonlySet<string> = new Set([
  'image_url',
  'file_url',
  'audio_url',
  'video_url',
  'source',
]);
const CONVERSATION_MEMBERS = ['messages', 'input', 'system'] as const;

/**
 * Walks the items and parts of a conversation.
 * @returns null if it has none of these
 */
export function readConversation(body: JsonObject): ConversationFacts | null {
  let facts: ConversationFacts | null = null;
  const open = () => (facts ??= { declared: [], storedIds: [], settings: [] });
  for (const name of CONVERSATION_MEMBERS) {
    const items = body[name];
    if (!Array.isArray(items)) continue;
    for (let at = 0; at < items.length; at += 1) {
      const item = asObject(items[at]);
      if (item === null) continue;
      const tools = item['tools'] ?? null;
      if (tools !== null) open().declared.push({ param: `${name}.${at}.tools`, tools });
      const settings = name === 'input' ? findItemSettings(item, `${name}.${at}`) : null;
      if (settings !== null) open().settings.push(settings);
    }
    visitParts(items, [name], open);
  }
  return facts;
}

type Path = readonly (string | number)[];

/** A list within a list counts as one: a provider may read it so. The depth of a body is bounded before. */
function visitParts(parts: readonly unknown[], path: Path, open: () => ConversationFacts): void {
  for (let at = 0; at < parts.length; at += 1) {
    const part: unknown = parts[at];
    if (Array.isArray(part)) visitParts(part, [...path, at], open);
    else {
      const inner = asObject(part);
      if (inner !== null) visitPart(inner, [...path, at], open);
    }
  }
}

function visitPart(part: JsonObject, path: Path, open: () => ConversationFacts): void {
  // Most parts have few members: they are looked up by those, not by all names that count.
  for (const name in part) {
    const value = part[name];
    if (value === undefined || value === null) continue;
    if (ADDRESS_MEMBERS.has(name)) noteAddress(open, { name, value, path });
    if (!ID_MEMBERS.has(name)) continue;
    const noted: StoredId[] = [];
    noteStoredId(noted, name, { value, param: [...path, name].join('.') });
    for (const id of noted) addFirst(open().storedIds, id);
  }
  for (const name in part) {
    const value = part[name];
    if (typeof value !== 'object' || value === null || !PARTS.has(name)) continue;
    if (Array.isArray(value)) {
      visitParts(value, [...path, name], open);
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

/** The source of a search result is a text of any form. */
function noteAddress(
  open: () => ConversationFacts,
  { name, value, path }: { name: string; value: unknown; path: Path },
): void {
  const inner = asObject(value);
  if (inner === null && name === 'source') return;
  const kind = storedKindOfAddress(inner === null ? value : inner['url']);
  if (kind === null) return;
  const param = [...path, name, ...(inner === null ? [] : ['url'])].join('.');
  addFirst(open().storedIds, { kind, param });
}

function addFirst(found: StoredId[], id: StoredId): void {
  if (!found.some(({ kind }) => kind === id.kind)) found.push(id);
}
