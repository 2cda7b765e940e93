import { parseJsonObject, type JsonObject } from '../json/parse-object.ts';

/**
 * The arguments of a call as the object that this dialect wants. Arguments that were cut off are no JSON: they go in as
 * text under the name that the provider's documentation gives for it
 * (https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/fine-grained-tool-streaming).
 */
export function encodeToolInput(json: string): JsonObject {
  if (json.trim() === '') return {};
  return parseJsonObject(json) ?? { INVALID_JSON: json };
}
