import type { ToolCallPart } from '@tollgate/core/completion/content';
import type { JsonObject } from '../json/parse-object.ts';
import { getInput } from '../portable-tools/chat-custom.ts';

/** Writes one entry of `tool_calls`. */
export function encodeToolCall({ id, name, arguments: text }: ToolCallPart): JsonObject {
  return { id, type: 'function', function: { name, arguments: text } };
}

/** The same in a response. @param customNames of the caller's custom tools */
export function encodeAnsweredCall(call: ToolCallPart, customNames: ReadonlySet<string>): JsonObject {
  if (!customNames.has(call.name)) return encodeToolCall(call);
  return { id: call.id, type: 'custom', custom: { name: call.name, input: getInput(call) } };
}
