import { encodeCacheControl } from '../anthropic-messages/encode-cache-control.ts';
import { editEntryMembers } from '../json/edit-entries.ts';
import { JsonObjectBytes, type Edit } from '../json/edit-members.ts';
import { findMarks } from '../json/find-marks.ts';
import { readEntryPlaces } from '../json/member-places.ts';
import { parseJson, parseJsonObject, type JsonObject } from '../json/parse-object.ts';
import { findClaudeRules } from '../model-rules/find-model-rules.ts';
import { sizeText } from './size-text.ts';

/** With any of these, the caller decides what is cached. */
const OWN_MARKS = ['"cache_control"', '"prompt_cache_breakpoint"', '"prompt_cache_options"'];
const { cache_control: CONTROL } = encodeCacheControl({ ttl: null });
const MARKED_TURNS = 2;

/**
 * The same as `placeBreakpoints`, for a caller's own body of chat completions whose provider takes `cache_control` for Claude
 * (https://openrouter.ai/docs/features/prompt-caching). The breakpoint of the system prompt includes the tools. It reads only the
 * messages at both ends of the conversation.
 * @param model the provider's name for the model
 */
export function placeChatBreakpoints(body: JsonObjectBytes, model: string): Edit[] {
  const minTokens = findClaudeRules(model)?.minCacheTokens ?? null;
  const { bytes } = body;
  if (minTokens === null || !sizeText(minTokens).isReachedBy(bytes.length)) return [];
  if (findMarks(bytes, OWN_MARKS)?.length !== 0) return [];
  const list = body.findPlace('messages');
  if (list === null) return [];
  const messages = new Messages(body, list.start);
  const opening = messages.countOpening();
  const tools = body.findPlace('tools');
  const prefixBytes = (tools === null ? 0 : tools.end - tools.start) + messages.getSize(opening);
  const hasPrefix = sizeText(minTokens).isReachedBy(prefixBytes);
  const ends = messages.listEnds(opening);
  const isContinued =
    ends.length > 1 || body.mayHave('prompt_cache_key') || (hasPrefix && tools !== null && isToolLoop(body));
  return [
    ...(hasPrefix && opening > 0 ? messages.mark(opening - 1) : []),
    ...(isContinued ? ends.flatMap((at) => messages.mark(at)) : []),
  ];
}

/** A forced tool is mostly the answer itself. */
function isToolLoop(body: JsonObjectBytes): boolean {
  const choice = body.mayHave('tool_choice') ? body.getText('tool_choice') : undefined;
  return choice === undefined || parseJson(choice) === 'auto';
}

/** The messages of a body, each read when it is needed. */
class Messages {
  readonly #bytes: JsonObjectBytes['bytes'];
  readonly #places: ReturnType<typeof readEntryPlaces>;

  constructor({ bytes }: JsonObjectBytes, start: number) {
    this.#bytes = bytes;
    this.#places = readEntryPlaces(bytes, start);
  }

  get #count(): number {
    return this.#places.length / 2;
  }

  /** How many system messages open the conversation. */
  countOpening(): number {
    let opening = 0;
    while (opening < this.#count && isInstruction(this.#read(opening))) opening += 1;
    return opening;
  }

  /** The bytes of the first messages. */
  getSize(count: number): number {
    return count === 0 ? 0 : (this.#places[2 * count - 1] ?? 0) - (this.#places[0] ?? 0);
  }

  /** The last messages before the model's own: of this request, and of the one before it. */
  listEnds(opening: number): number[] {
    const ends: number[] = [];
    let isBefore = true;
    for (let at = this.#count - 1; at >= opening && ends.length < MARKED_TURNS; at -= 1) {
      const isOwn = this.#read(at)['role'] === 'assistant';
      if (!isOwn && isBefore) ends.unshift(at);
      isBefore = isOwn;
    }
    return ends;
  }

  /** Marks the end of a message; one without content is not marked. */
  mark(at: number): Edit[] {
    const start = this.#places[2 * at] ?? 0;
    const entry = new JsonObjectBytes(this.#slice(at));
    const content = entry.findPlace('content');
    if (content === null) return [];
    if (this.#read(at)['role'] === 'tool')
      return shift(editEntryMembers(entry, { cache_control: CONTROL }), start);
    const given = entry.bytes.toString('utf8', content.start, content.end);
    if (given.startsWith('"') && given !== '""') {
      const text = `[{"type":"text","text":${given},"cache_control":${JSON.stringify(CONTROL)}}]`;
      return shift([{ start: content.start, end: content.end, text }], start);
    }
    if (!given.startsWith('[')) return [];
    const parts = readEntryPlaces(entry.bytes, content.start);
    const [partStart, partEnd] = [parts.at(-2), parts.at(-1)];
    if (partStart === undefined || partEnd === undefined) return [];
    const bytes = entry.bytes.subarray(partStart, partEnd);
    if (parseJsonObject(bytes.toString('utf8')) === null) return [];
    return shift(editEntryMembers({ bytes }, { cache_control: CONTROL }), start + partStart);
  }

  #read(at: number): JsonObject {
    return parseJsonObject(this.#slice(at).toString('utf8')) ?? {};
  }

  #slice(at: number): JsonObjectBytes['bytes'] {
    return this.#bytes.subarray(this.#places[2 * at], this.#places[2 * at + 1]);
  }
}

const isInstruction = ({ role }: JsonObject): boolean => role === 'system' || role === 'developer';

const shift = (edits: readonly Edit[], by: number): Edit[] =>
  edits.map(({ start, end, text }) => ({ start: start + by, end: end + by, text }));
