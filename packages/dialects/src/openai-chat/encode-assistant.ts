import type {
  AssistantPart,
  RedactedThinkingPart,
  ThinkingPart,
  ToolCallPart,
} from '@tollgate/core/completion/content';
import { toBoundedCallId, toShortCallId, unpackCallId } from '../call-id.ts';
import type { JsonObject } from '../json/parse-object.ts';
import type { EncodeNotes } from './encode-notes.ts';
import { encodeCache } from './encode-part.ts';
import { encodeToolCall } from './encode-tool-call.ts';
import { encodeReasoningDetail } from './reasoning-details.ts';

interface Place {
  name: string | null;
  at: string;
  notes: EncodeNotes;
}

/** Writes an assistant's message of the conversation so far. */
export function encodeAssistantMessage(parts: readonly AssistantPart[], place: Place): JsonObject {
  const { name, at, notes } = place;
  const calls = parts.filter((part) => part.type === 'tool_call');
  const refusals = parts.filter((part) => part.type === 'refusal');
  return {
    role: 'assistant',
    ...(name === null ? {} : { name }),
    ...encodeContent(parts, place),
    ...(refusals.length === 0 ? {} : { refusal: refusals.map(({ text }) => text).join('') }),
    ...encodeAudio(parts, at, notes),
    ...encodeReasoning(parts, notes),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map((call, index) => encodeCall(call, index, notes)),
        }),
  };
}

/**
 * Gemini refuses the first call of a step without a signature, and documents a placeholder for a call that another
 * maker's model made (https://ai.google.dev/gemini-api/docs/thought-signatures#faqs). Models before Gemini 3 need none.
 */
const FOREIGN_SIGNATURE = 'skip_thought_signature_validator';
const SIGNING_MODEL = /gemini-(?:[3-9]|\d\d)/;

function encodeCall(call: ToolCallPart, index: number, notes: EncodeNotes): JsonObject {
  const { id, signature: own } = unpackCallId(call.id);
  const isMissing = index === 0 && SIGNING_MODEL.test(notes.model);
  const signature = own ?? (isMissing ? FOREIGN_SIGNATURE : null);
  const isSigned = notes.quirks.callSignatures === 'extra_content' && signature !== null;
  return {
    ...encodeToolCall({ ...call, id: encodeCallId(id, notes) }),
    ...(isSigned ? { extra_content: { google: { thought_signature: signature } } } : {}),
    ...encodeCache(call.cache, notes),
  };
}

/** OpenAI takes no longer one. */
const MAX_CALL_ID = 40;

/** Writes the id of a call, as the call and its result both have it. */
export function encodeCallId(packed: string, { quirks }: EncodeNotes): string {
  const { id } = unpackCallId(packed);
  return quirks.callIds === 'short' ? toShortCallId(id) : toBoundedCallId(id, MAX_CALL_ID);
}

function encodeContent(parts: readonly AssistantPart[], { at, notes }: Place): JsonObject {
  const content: JsonObject[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.type === 'text')
      content.push({ type: 'text', text: part.text, ...encodeCache(part.cache, notes) });
    if (part.type !== 'opaque' || part.name === 'audio') continue;
    if (part.dialect === 'openai-chat') content.push({ ...part.value });
    else notes.refuse(`${at}.content.${index}`, `content of the type ${part.name}`);
  }
  if (content.length > 0) return { content: collapseText(content, notes) };
  // Empty text, unless another member is present: a message must hold one of them.
  return { content: parts.some(isBesideContent) ? null : '' };
}

const isBesideContent = (part: AssistantPart): boolean =>
  part.type === 'tool_call' || part.type === 'refusal' || part.type === 'opaque';

/** One plain text goes as a string, which every provider takes; so do several if lists are not taken. */
export function collapseText(parts: readonly JsonObject[], notes: EncodeNotes): unknown {
  const [first] = parts;
  if (first === undefined) return '';
  const isPlain = Object.keys(first).length === 2 && first['type'] === 'text';
  if (parts.length === 1 && isPlain) return first['text'];
  const isText = parts.every((part) => part['type'] === 'text');
  if (isText && !notes.quirks.takesTextLists && !notes.quirks.takesCacheControl)
    return parts.map((part) => part['text']).join('\n\n');
  return parts;
}

function encodeAudio(parts: readonly AssistantPart[], at: string, notes: EncodeNotes): JsonObject {
  const audio = parts.find((part) => part.type === 'opaque' && part.name === 'audio');
  if (audio?.type !== 'opaque') return {};
  if (audio.dialect === 'openai-chat') return { audio: { id: audio.value['id'] } };
  notes.refuse(at, 'audio of an earlier answer');
  return {};
}

function encodeReasoning(parts: readonly AssistantPart[], notes: EncodeNotes): JsonObject {
  const reasoning = parts.filter(isReasoning);
  if (reasoning.length === 0) return {};
  const text = joinReasoning(reasoning);
  switch (notes.quirks.reasoningField) {
    case 'none':
      notes.drop('thinking');
      return {};
    case 'reasoning_content':
      return text === '' ? {} : { reasoning_content: text };
    case 'reasoning':
      return text === '' ? {} : { reasoning: text };
    case 'reasoning_details':
      return { reasoning_details: encodeReasoningDetails(parts) };
  }
}

export const isReasoning = (part: AssistantPart): part is ThinkingPart | RedactedThinkingPart =>
  part.type === 'thinking' || part.type === 'redacted_thinking';

export function joinReasoning(parts: readonly AssistantPart[]): string {
  return parts.map((part) => (part.type === 'thinking' ? part.text : '')).join('');
}

/** All reasoning of a message, each part with its place among all parts. */
export function encodeReasoningDetails(parts: readonly AssistantPart[]): JsonObject[] {
  return parts.flatMap((part, index) => (isReasoning(part) ? [encodeReasoningDetail(part, index)] : []));
}
