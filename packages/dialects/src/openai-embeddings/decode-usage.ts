import { NO_USAGE, type TokenUsage } from '@tollgate/core/money';
import { asCount, asObject, type JsonObject } from '../json/parse-object.ts';

/**
 * Reads the `usage` of embeddings: input alone, whatever a provider calls it.
 * @returns null where the provider reported none, or none of any size: no input is empty
 */
export function decodeOpenAiEmbeddingsUsage(body: JsonObject): TokenUsage | null {
  const usage = asObject(body['usage']);
  const inputTokens = asCount(usage?.['prompt_tokens']) || asCount(usage?.['total_tokens']);
  return inputTokens === 0 ? null : { ...NO_USAGE, inputTokens };
}
