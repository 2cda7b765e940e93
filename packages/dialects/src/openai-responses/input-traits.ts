import {
  kindOfAudio,
  kindOfImage,
  kindOfUnknown,
  noteAudio,
  noteCacheChoice,
  noteCacheMark,
  noteCallersTool,
  noteDescribedTool,
  notePart,
  getParts,
  type InputTraits,
  type PartKind,
} from '../input-traits.ts';
import { isConfigurationUpdate } from './configuration-update.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';

/** Items that are all there, as text. The provider repeats no search or call of an earlier response. */
const TEXT_ITEMS: ReadonlySet<unknown> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
  'shell_call',
  'shell_call_output',
  'additional_tools',
  'tool_search_call',
  'tool_search_output',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'computer_call',
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'compaction',
]);
/** Items that hold one image. */
const IMAGE_ITEMS: ReadonlySet<unknown> = new Set(['computer_call_output', 'image_generation_call']);
const CALLERS_TOOLS: ReadonlySet<unknown> = new Set(['function', 'custom']);
/** Real lists of tools are not nested deeper. */
const MAX_TOOL_LEVELS = 8;

/**
 * Finds what the size of a request's input depends on besides its bytes. It walks items, parts and tools, not their text.
 * An unknown item counts as text if it is inline. What tools of the provider read is bounded with the rates of their calls.
 */
export function noteInputTraits(traits: InputTraits, body: JsonObject): void {
  noteCacheMark(traits, body);
  noteCacheChoice(traits, body);
  for (const item of getParts(body['input'])) {
    noteCacheMark(traits, item);
    notePart(traits, kindOfItem(item));
    noteContent(traits, item['content']);
    if (!IMAGE_ITEMS.has(item['type'])) noteContent(traits, item['output']);
    noteTools(traits, item['tools'], MAX_TOOL_LEVELS);
  }
  noteTools(traits, body['tools'], MAX_TOOL_LEVELS);
}

/** True for an item of a known kind that holds or refers to content of the conversation. */
export function isContentItem({ type = 'message' }: JsonObject): boolean {
  return type === null || TEXT_ITEMS.has(type) || IMAGE_ITEMS.has(type) || type === 'item_reference';
}

function kindOfItem(item: JsonObject): PartKind {
  const type = item['type'] ?? 'message';
  if (type === 'item_reference') return 'unbounded';
  if (TEXT_ITEMS.has(type)) return 'text';
  if (IMAGE_ITEMS.has(type)) return 'media';
  return kindOfUnknown(isConfigurationUpdate(item) ? withoutSchemas(item) : item);
}

/** Schemas of the caller have members of any name, which refer to nothing. */
function withoutSchemas(item: JsonObject): JsonObject {
  const text = asObject(item['text']);
  return { ...item, tools: null, ...(text === null ? {} : { text: { ...text, format: null } }) };
}

function noteTools(traits: InputTraits, tools: unknown, levels: number): void {
  const list = getParts(tools);
  if (levels === 0 && list.length > 0) return notePart(traits, 'unbounded');
  for (const tool of list) {
    noteCacheMark(traits, tool);
    if (CALLERS_TOOLS.has(tool['type'])) noteCallersTool(traits, tool, levels < MAX_TOOL_LEVELS);
    else noteDescribedTool(traits);
    noteTools(traits, tool['tools'], levels - 1);
  }
}

function noteContent(traits: InputTraits, content: unknown): void {
  for (const part of getParts(content)) {
    noteCacheMark(traits, part);
    noteAudio(traits, part);
    notePart(traits, kindOfPart(part));
  }
}

function kindOfPart(part: JsonObject): PartKind {
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'refusal':
    case 'reasoning_text':
    case 'summary_text':
      return 'text';
    case 'input_audio':
      return kindOfAudio(part['input_audio']);
    case 'input_image':
      // An image that was uploaded before is an image, too.
      return part['image_url'] === undefined || part['image_url'] === null
        ? 'media'
        : kindOfImage(part['image_url']);
    default:
      return kindOfUnknown(part);
  }
}
