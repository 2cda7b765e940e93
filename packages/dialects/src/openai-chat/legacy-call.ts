import type { ToolCallPart } from '@tollgate/core/completion/content';
import type { JsonObject } from '../json/parse-object.ts';

/**
 * True if the caller declares `functions`, which were there before `tools`
 * (https://platform.openai.com/docs/api-reference/chat/create#chat_create-functions): its client reads `function_call`.
 */
export function wantsLegacyCall(body: JsonObject | undefined): boolean {
  return Array.isArray(body?.['functions']) && !Array.isArray(body['tools']);
}

/** Writes the only call that an answer to such a request has room for. */
export function encodeLegacyCall(calls: readonly ToolCallPart[]): JsonObject {
  const [first] = calls;
  return first === undefined ? {} : { function_call: { name: first.name, arguments: first.arguments } };
}
