import { hasScheme } from './contract/content-address.ts';
import { isInline } from './is-inline.ts';
import { asObject, type JsonObject } from './json/parse-object.ts';

/** What a request says of its input besides its size, for a bound of what it may cost. */
export interface InputTraits {
  /** The request marks parts for the provider's cache; some providers bill cache writes higher than input. */
  writesCache: boolean;
  /** The request chooses how the provider caches: it may not cache as usual; absent: it does not choose. */
  choosesCaching?: boolean;
  /** Images and audio: each may cost more tokens than it has bytes here, but no more than a known maximum. */
  mediaParts: number;
  /** Tools whose description the provider writes: as media, with a lower maximum; absent: none. */
  describedTools?: number;
  /** Bytes that a translation adds to tools at most, since it writes them as functions; absent: none. */
  addedToolBytes?: number;
  /** The request refers to, packs or makes the provider fetch something whose size its own bytes do not show. */
  hasUnboundedInput: boolean;
  /** The request holds audio, which many providers bill at a separate rate; absent: none. */
  hasAudioInput?: boolean;
}

/** A content part or an item of a conversation, as far as its input can be bounded. */
export type PartKind = 'text' | 'media' | 'unbounded';

const AUDIO_URL = /^data:audio\//i;
const IMAGE_URL = /^(?:https?:\/\/|data:image\/)/i;

export const createInputTraits = (): InputTraits => ({
  writesCache: false,
  mediaParts: 0,
  hasUnboundedInput: false,
});

const NONE: readonly JsonObject[] = [];

/** @returns the parts of a `content`: none for plain text; a part that is not in a list counts, too */
export function getParts(content: unknown): readonly JsonObject[] {
  // Most contents, and most members that might hold parts.
  if (typeof content === 'string' || content === undefined) return NONE;
  if (Array.isArray(content)) return content.every(isObject) ? content : content.filter(isObject);
  const part = asObject(content);
  return part === null ? NONE : [part];
}

export function notePart(traits: InputTraits, kind: PartKind): void {
  if (kind === 'media') traits.mediaParts += 1;
  else if (kind === 'unbounded') traits.hasUnboundedInput = true;
}

/** Notes a tool whose description the provider writes. What it reads when it runs is bounded with the rates of its calls. */
export function noteDescribedTool(traits: InputTraits): void {
  traits.describedTools = (traits.describedTools ?? 0) + 1;
}

/** Bytes of the description and the parameters that a translation writes for a custom tool, with the prefix of its name. */
const CUSTOM_TOOL_BYTES = 400;
/** The same for a function of a namespace that has parameters: mostly the prefix. */
const PREFIX_BYTES = 100;
/** The same for a function without parameters. */
const PARAMETERS_BYTES = 100;

/**
 * Notes a tool that the caller runs, and that a translation writes as a function with more bytes.
 * @param isInside true: it is in a namespace
 */
export function noteCallersTool(traits: InputTraits, tool: JsonObject, isInside: boolean): void {
  let bytes = 0;
  if (tool['type'] === 'custom') bytes = CUSTOM_TOOL_BYTES;
  else if (isInside) bytes = PREFIX_BYTES + (asObject(tool['parameters']) === null ? PARAMETERS_BYTES : 0);
  if (bytes > 0) traits.addedToolBytes = (traits.addedToolBytes ?? 0) + bytes;
}

/** The kind of an item that no list knows. */
export function kindOfUnknown(item: JsonObject): PartKind {
  return isInline(item) ? 'text' : 'unbounded';
}

/** Looks for sound in a content part. */
export function noteAudio(traits: InputTraits, part: JsonObject): void {
  if (part['type'] === 'input_audio') traits.hasAudioInput = true;
}

/** Looks for a mark of the cache at a part, a message, a tool or the body itself. */
export function noteCacheMark(traits: InputTraits, carrier: JsonObject): void {
  if (isGiven(carrier['cache_control']) || isGiven(carrier['prompt_cache_breakpoint']))
    traits.writesCache = true;
}

/** Looks for the member with which OpenAI's callers choose what is cached. */
export function noteCacheChoice(traits: InputTraits, body: JsonObject): void {
  if (isGiven(body['prompt_cache_options'])) traits.choosesCaching = true;
}

/** Looks for members of the body that make the provider read what is not in it. */
export function noteMembers(traits: InputTraits, body: JsonObject, names: readonly string[]): void {
  for (const name of names) if (isGiven(body[name])) traits.hasUnboundedInput = true;
}

/** An image's cost is bounded, wherever it is stored; a data URL of another kind may hold a document. */
export function kindOfImage(url: unknown): PartKind {
  return typeof url === 'string' && IMAGE_URL.test(url) ? 'media' : 'unbounded';
}

/** Audio of any length may be at an address, which a provider fetches. */
export function kindOfAudio(audio: unknown): PartKind {
  const data = asObject(audio)?.['data'];
  return hasScheme(data) && !AUDIO_URL.test(data) ? 'unbounded' : 'media';
}

function isObject(value: unknown): value is JsonObject {
  return asObject(value) !== null;
}

function isGiven(value: unknown): boolean {
  return (
    value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0)
  );
}
