import {
  createInputTraits,
  kindOfImage,
  noteAudio,
  noteCacheMark,
  notePart,
  getParts,
  type InputTraits,
  type PartKind,
} from '../input-traits.ts';
import type { JsonObject } from '../json/parse-object.ts';

/** Items that are all there, as text. */
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
]);
const CALLERS_TOOLS: ReadonlySet<unknown> = new Set(['function', 'custom']);
/** The caller runs them, the provider describes them to the model. */
const DESCRIBED_TOOLS: ReadonlySet<unknown> = new Set(['local_shell', 'apply_patch']);

/**
 * Finds what the size of a request's input depends on besides its bytes. It walks items, parts and tools, not their text;
 * what it does not know counts as unbounded.
 */
export function readInputTraits(body: JsonObject): InputTraits {
  const traits = createInputTraits();
  noteCacheMark(traits, body);
  for (const item of getParts(body['input'])) {
    noteCacheMark(traits, item);
    if (!TEXT_ITEMS.has(item['type'] ?? 'message')) notePart(traits, 'unbounded');
    noteContent(traits, item['content']);
    noteContent(traits, item['output']);
  }
  for (const tool of getParts(body['tools'])) {
    noteCacheMark(traits, tool);
    notePart(traits, kindOfTool(tool['type']));
  }
  return traits;
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
      return 'media';
    case 'input_image':
      // An image that was uploaded before is an image, too.
      return part['image_url'] === undefined || part['image_url'] === null
        ? 'media'
        : kindOfImage(part['image_url']);
    default:
      return 'unbounded';
  }
}

function kindOfTool(type: unknown): PartKind {
  if (CALLERS_TOOLS.has(type)) return 'text';
  return DESCRIBED_TOOLS.has(type) ? 'media' : 'unbounded';
}
