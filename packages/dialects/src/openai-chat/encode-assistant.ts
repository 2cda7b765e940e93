import type { EncodeReport } from '../encode-report.ts';
import type { AssistantPart, ToolCallPart } from '@tollgate/core/completion/content';
import { toBoundedCallId, unpackCallId } from '../call-id.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { isForeignSignature, isReasoning } from '../thinking-signature.ts';
import { encodeCache } from './encode-part.ts';
import { encodeToolCall } from './encode-tool-call.ts';
import { encodeReasoningDetail } from './reasoning-details.ts';

interface Place {
  name: string | null;
  at: string;
  report: EncodeReport;
}

/** Writes an assistant's message of the conversation so far. */
export function encodeAssistantMessage(parts: readonly AssistantPart[], place: Place): JsonObject {
  const { name, at, report } = place;
  const calls = parts.filter((part) => part.type === 'tool_call');
  const refusals = parts.filter((part) => part.type === 'refusal');
  return {
    role: 'assistant',
    ...(name === null ? {} : { name }),
    ...encodeContent(parts, place),
    ...(refusals.length === 0 ? {} : { refusal: refusals.map(({ text }) => text).join('') }),
    ...encodeAudio(parts, at, report),
    ...encodeReasoning(parts),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(encodeCall) }),
  };
}

function encodeCall(call: ToolCallPart): JsonObject {
  const { signature } = unpackCallId(call.id);
  const signed = { extra_content: { google: { thought_signature: signature } } };
  return {
    ...encodeToolCall({ ...call, id: encodeCallId(call.id) }),
    ...(signature === null ? {} : signed),
    ...encodeCache(call.cache),
  };
}

/** OpenAI takes no longer one. */
export const MAX_CALL_ID = 40;

/** Writes the id of a call, as the call and its result both have it. */
export function encodeCallId(packed: string): string {
  return toBoundedCallId(unpackCallId(packed).id, MAX_CALL_ID);
}

function encodeContent(parts: readonly AssistantPart[], { at, report }: Place): JsonObject {
  const content: JsonObject[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.type === 'text') content.push({ type: 'text', text: part.text, ...encodeCache(part.cache) });
    if (part.type !== 'opaque' || part.name === 'audio') continue;
    if (part.dialect === 'openai-chat') content.push({ ...part.value });
    else report.refuse(`${at}.content.${index}`, `content of the type ${part.name}`);
  }
  if (content.length > 0) return { content };
  // Empty text, unless another member is present: a message must hold one of them.
  return { content: parts.some(isBesideContent) ? null : '' };
}

const isBesideContent = (part: AssistantPart): boolean =>
  part.type === 'tool_call' || part.type === 'refusal' || part.type === 'opaque';

function encodeAudio(parts: readonly AssistantPart[], at: string, report: EncodeReport): JsonObject {
  const audio = parts.find((part) => part.type === 'opaque' && part.name === 'audio');
  if (audio?.type !== 'opaque') return {};
  if (audio.dialect === 'openai-chat') return { audio: { id: audio.value['id'] } };
  report.refuse(at, 'audio of an earlier answer');
  return {};
}

/** In the form that has a place for all of it. */
function encodeReasoning(parts: readonly AssistantPart[]): JsonObject {
  const details = encodeRequestDetails(parts);
  return details.length > 0 ? { reasoning_details: details } : {};
}

export function joinReasoning(parts: readonly AssistantPart[]): string {
  return parts.map((part) => (part.type === 'thinking' ? part.text : '')).join('');
}

/**
 * All reasoning of a request, each part with its place among all parts. A signature that is bound to the text of another dialect
 * is accepted by no provider of this one.
 */
export function encodeRequestDetails(parts: readonly AssistantPart[]): JsonObject[] {
  return parts
    .flatMap((part, index) => (isReasoning(part) ? [encodeReasoningDetail(part, index)] : []))
    .filter(({ signature }) => !isPackedSignature(signature));
}

const isPackedSignature = (signature: unknown): boolean =>
  typeof signature === 'string' && isForeignSignature(signature);
