import type { ToolCallPart } from '@tollgate/core/completion/content';
import type { JsonObject } from '../json/parse-object.ts';

/** Writes one entry of `tool_calls`. */
export function encodeToolCall({ id, name, arguments: text }: ToolCallPart): JsonObject {
  return { id, type: 'function', function: { name, arguments: text } };
}
