import { asObject, type JsonObject } from '../json/parse-object.ts';
import { storedKindOfAddress, storedKindOfContent } from './content-address.ts';
import { findItemSettings, type ItemSettings } from './item-settings.ts';
import { noteStoredId } from './nested-names.ts';
import type { StoredId } from './stored-ids.ts';

/** The parts of a request's conversation that contracts classify; its text is not read. */
export interface ConversationFacts {
  /** The tools that its items and their parts declare, by place: `input.2.tools`; a list, if they are valid. */
  declared: { param: string; tools: unknown }[];
  /** The first of each kind. */
  storedIds: StoredId[];
  /** Items of `input` that may set what members of the request set. */
  settings: ItemSettings[];
}

/** Names as APIs write them, and as those of Google do: `file_uri`, `fileUri`. */
const withCamelCase = (names: string): ReadonlySet<string> =>
  new Set(
    names
      .split(' ')
      .flatMap((name) => [name, name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())]),
  );

/** Members that hold the address of content. */
const ADDRESSES = withCamelCase(
  'url uri file_url file_uri image_url image_uri audio_url audio_uri video_url video_uri document_url media_url gcs_uri',
);
/** Members that hold content as base64, or its address. */
const CONTENTS = withCamelCase(
  'data file_data image_data audio_data video_data inline_data input_audio image audio video document media bytes',
);
/** Further members of an item or a part that hold parts, or say where its content comes from. */
const PARTS: ReadonlySet<string> = new Set([
  'content',
  'output',
  'source',
  'file',
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
  const open = () => (facts ??= { declared: [], storedIds: [], settings: [] });
  for (const name of CONVERSATION_MEMBERS) {
    const items = body[name];
    if (!Array.isArray(items)) continue;
    for (let at = 0; at < items.length; at += 1) {
      const item = asObject(items[at]);
      if (item === null) continue;
      const settings = name === 'input' ? findItemSettings(item, `${name}.${at}`) : null;
      if (settings !== null) open().settings.push(settings);
    }
    visitParts(items, { parent: null, step: name }, open);
  }
  return facts;
}

/** Of a value in the body. Most paths are never written, so a step costs the same at any depth. */
interface Path {
  parent: Path | null;
  step: string | number;
}

const writePath = ({ parent, step }: Path): string =>
  parent === null ? String(step) : `${writePath(parent)}.${step}`;

/** A list within a list counts as one: a provider may read it so. The depth of a body is bounded before. */
function visitParts(parts: readonly unknown[], path: Path, open: () => ConversationFacts): void {
  for (let at = 0; at < parts.length; at += 1) {
    const part: unknown = parts[at];
    if (Array.isArray(part)) visitParts(part, { parent: path, step: at }, open);
    else {
      const inner = asObject(part);
      if (inner !== null) visitPart(inner, { parent: path, step: at }, open);
    }
  }
}

function visitPart(part: JsonObject, path: Path, open: () => ConversationFacts): void {
  let hasParts = false;
  // Most parts have few members: they are looked up by those, not by all names that count.
  for (const name in part) {
    const meaning = MEANINGS.get(name);
    if (meaning === undefined) continue;
    const value = part[name];
    if (value === undefined || value === null) continue;
    if ((meaning & PART) !== 0 && typeof value === 'object') hasParts = true;
    if ((meaning & TOOLS) !== 0) noteTools(open, part, { name, value, path: { parent: path, step: name } });
    if ((meaning & ADDRESS) !== 0 && !isOwnContent(part, name))
      noteAddresses(open, { name, value, path: { parent: path, step: name } });
    if ((meaning & ID) === 0) continue;
    const noted: StoredId[] = [];
    noteStoredId(noted, name, { value, param: writePath({ parent: path, step: name }) });
    for (const id of noted) addFirst(open().storedIds, id);
  }
  if (!hasParts) return;
  for (const name in part) {
    const value = part[name];
    if (typeof value !== 'object' || value === null) continue;
    if (((MEANINGS.get(name) ?? 0) & PART) === 0) continue;
    if (Array.isArray(value)) {
      visitParts(value, { parent: path, step: name }, open);
      continue;
    }
    const inner = asObject(value);
    if (inner === null) continue;
    // A spoken answer that the provider keeps: `{"role":"assistant","audio":{"id":"audio_1"}}`.
    if (name === 'audio' && typeof inner['id'] === 'string')
      addFirst(open().storedIds, { kind: 'media', param: `${writePath(path)}.${name}.id` });
    visitPart(inner, { parent: path, step: name }, open);
  }
}

/** Items that list what the provider found, which declares nothing. */
const LISTING_ITEM = 'mcp_list_tools';
/** What holds the declaration of a tool (https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages). */
const DEFINITION = 'tool_definition';
const REFERENCE = 'tool_reference';

/** Notes the tools that an item or a part declares: `tools`, or one `tool`, which may refer to a declared one. */
function noteTools(
  open: () => ConversationFacts,
  part: JsonObject,
  { name, value, path }: { name: string; value: unknown; path: Path },
): void {
  if (name === 'tools') {
    if (part['type'] !== LISTING_ITEM) open().declared.push({ param: writePath(path), tools: value });
    return;
  }
  const tool = asObject(value);
  if (tool === null || tool['type'] === REFERENCE) return;
  const isDefinition = tool['type'] === DEFINITION;
  const declared = isDefinition ? (tool['definition'] ?? null) : tool;
  const where = isDefinition ? `${writePath(path)}.definition` : writePath(path);
  if (declared !== null) open().declared.push({ param: where, tools: [declared] });
}

/** What the members of a part may hold, by name: most have none of these names, which one look-up finds out. */
const TOOLS = 1;
const ADDRESS = 2;
const ID = 4;
const PART = 8;
const MEANINGS: ReadonlyMap<string, number> = listMeanings();

function listMeanings(): Map<string, number> {
  const meanings = new Map<string, number>();
  const add = (names: Iterable<string>, meaning: number) => {
    for (const name of names) meanings.set(name, (meanings.get(name) ?? 0) | meaning);
  };
  add(['tools', 'tool'], TOOLS);
  add([...ADDRESSES, ...CONTENTS], ADDRESS);
  add(ID_MEMBERS, ID);
  add([...PARTS, ...ADDRESSES, ...CONTENTS], PART);
  return meanings;
}

/**
 * A text may begin like an address: `{"type":"text","media_type":"text/plain","data":"Note: …"}`. So does the reasoning of
 * other makers' models, which callers send back as they got it.
 */
const isOwnContent = ({ type }: JsonObject, name: string): boolean =>
  type === 'text' || (type === 'redacted_thinking' && name === 'data');

/** Notes an address, or a list of them. Objects are visited as parts. */
function noteAddresses(
  open: () => ConversationFacts,
  { name, value, path }: { name: string; value: unknown; path: Path },
): void {
  if (Array.isArray(value)) {
    for (const [at, each] of value.entries())
      if (typeof each === 'string')
        noteAddresses(open, { name, value: each, path: { parent: path, step: at } });
    return;
  }
  const kind = ADDRESSES.has(name) ? storedKindOfAddress(value) : storedKindOfContent(value);
  if (kind !== null) addFirst(open().storedIds, { kind, param: writePath(path) });
}

function addFirst(found: StoredId[], id: StoredId): void {
  if (!found.some(({ kind }) => kind === id.kind)) found.push(id);
}
