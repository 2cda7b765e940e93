import {
  kindOfAudio,
  kindOfImage,
  kindOfUnknown,
  noteAudio,
  noteCacheChoice,
  noteCacheMark,
  noteCallersTool,
  noteDescribedTool,
  noteMembers,
  notePart,
  getParts,
  type InputTraits,
  type PartKind,
} from '../input-traits.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';

/** Members that let the provider search, read files, or use stored data: OpenAI's, OpenRouter's, xAI's, Gemini's. */
const FETCHING_MEMBERS = [
  'web_search_options',
  'plugins',
  'search_parameters',
  'enable_search',
  'extra_body',
  'google',
  'cached_content',
] as const;
const CALLERS_TOOLS: ReadonlySet<unknown> = new Set(['function', 'custom']);

/**
 * Finds what the size of a request's input depends on besides its bytes. It walks messages, parts and tools, not their text.
 * An unknown part counts as text if it is inline. What tools of the provider read is bounded with the rates of their calls.
 * @param body with `messages` a list of objects
 */
export function noteInputTraits(traits: InputTraits, body: JsonObject): void {
  noteCacheMark(traits, body);
  noteCacheChoice(traits, body);
  noteMembers(traits, body, FETCHING_MEMBERS);
  for (const message of getParts(body['messages'])) {
    noteCacheMark(traits, message);
    for (const part of getParts(message['content'])) {
      noteCacheMark(traits, part);
      noteAudio(traits, part);
      notePart(traits, kindOfPart(part));
    }
    // A translation carries the mark of a call.
    for (const call of getParts(message['tool_calls'])) noteCacheMark(traits, call);
    // Images of a model's earlier answer are next to the content.
    for (const _ of getParts(message['images'])) notePart(traits, 'media');
    // An answer that was spoken is kept by the provider and named by its id.
    if (asObject(message['audio']) !== null) notePart(traits, 'unbounded');
  }
  for (const tool of getParts(body['tools'])) {
    noteCacheMark(traits, tool);
    noteCacheMark(traits, asObject(tool['function']) ?? {});
    if (CALLERS_TOOLS.has(tool['type'] ?? 'function')) noteCallersTool(traits, tool, false);
    else noteDescribedTool(traits);
  }
}

function kindOfPart(part: JsonObject): PartKind {
  switch (part['type']) {
    case 'text':
    case 'input_text':
    case 'output_text':
    case 'refusal':
    case 'thinking':
      return 'text';
    case 'input_audio':
      return kindOfAudio(part['input_audio']);
    case 'image_url':
      return kindOfImage(asObject(part['image_url'])?.['url'] ?? part['image_url']);
    default:
      return kindOfUnknown(part);
  }
}
