import type { Citation, RefusalPart, TextPart, ToolCallPart } from '@tollgate/core/completion/content';
import type { JsonObject } from '../json/parse-object.ts';
import { encodeAnnotations } from './annotations.ts';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** Writes a message item of an answer. */
export function messageItem(id: string, status: ItemStatus, content: readonly JsonObject[]): JsonObject {
  return { id, type: 'message', status, role: 'assistant', content };
}

/** Writes a call item of an answer. */
export function callItem(
  id: string,
  status: ItemStatus,
  call: Pick<ToolCallPart, 'id' | 'name' | 'arguments'>,
): JsonObject {
  const { id: callId, name, arguments: text } = call;
  return { id, type: 'function_call', status, arguments: text, call_id: callId, name };
}

/** Writes one part of a message item. */
export function messageContent(
  part: Pick<TextPart, 'type' | 'text' | 'citations'> | RefusalPart,
): JsonObject {
  return part.type === 'refusal'
    ? { type: 'refusal', refusal: part.text }
    : outputText(part.text, part.citations);
}

export function outputText(text: string, citations: readonly Citation[]): JsonObject {
  return { type: 'output_text', annotations: encodeAnnotations(citations, text.length), logprobs: [], text };
}
