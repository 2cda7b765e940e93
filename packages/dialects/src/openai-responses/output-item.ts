import type { RefusalPart, TextPart, ToolCallPart } from '@tollgate/core/completion/content';
import type { JsonObject } from '../json/parse-object.ts';
import type { WrittenJson } from '../json/written-json.ts';
import { itemOfCall } from '../portable-tools/item-of-call.ts';
import type { ClientTool } from '../portable-tools/responses-tools.ts';
import { encodeAnnotations } from './annotations.ts';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** Writes a message item of an answer. */
export function messageItem(id: string, status: ItemStatus, content: readonly JsonObject[]): JsonObject {
  return { id, type: 'message', status, role: 'assistant', content };
}

/**
 * Writes a call item of an answer.
 * @param tool that the called function represents; null: it is a plain function
 */
export function callItem(
  id: string,
  status: ItemStatus,
  call: Pick<ToolCallPart, 'id' | 'name' | 'arguments'>,
  tool: ClientTool | null,
): JsonObject {
  const own = tool === null ? null : itemOfCall(tool, call, { id, status });
  if (own !== null) return own;
  const { id: callId, name, arguments: text } = call;
  const item = { id, type: 'function_call', status, arguments: text, call_id: callId };
  return tool === null ? { ...item, name } : { ...item, name: tool.name, namespace: tool.namespace };
}

/** Writes one part of a message item. @param logprobs those of its text */
export function messageContent(
  part: Pick<TextPart, 'type' | 'text' | 'citations'> | RefusalPart,
  logprobs: readonly JsonObject[] | WrittenJson,
): JsonObject {
  if (part.type === 'refusal') return { type: 'refusal', refusal: part.text };
  const { text, citations } = part;
  const annotations = encodeAnnotations(citations, text.length);
  return { type: 'output_text', annotations, logprobs, text };
}
