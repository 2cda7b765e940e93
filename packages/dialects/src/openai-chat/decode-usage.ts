import type { TokenUsage } from '@tollgate/core/money';
import { asCount, asObject, type JsonObject } from '../json/parse-object.ts';

/**
 * Reads the `usage` of a completion or a chunk. OpenAI counts cached input inside `prompt_tokens` and reasoning
 * inside `completion_tokens`; Groq's older streams keep it under `x_groq`.
 * @returns null where the provider reported none
 */
export function decodeOpenAiUsage(body: JsonObject): TokenUsage | null {
  const usage = asObject(body['usage']) ?? asObject(asObject(body['x_groq'])?.['usage']);
  if (usage === null) return null;
  const promptTokens = asCount(usage['prompt_tokens']);
  const cached = asCount(
    asObject(usage['prompt_tokens_details'])?.['cached_tokens'] ?? usage['prompt_cache_hit_tokens'],
  );
  const cacheReadTokens = Math.min(cached, promptTokens);
  return {
    inputTokens: promptTokens - cacheReadTokens,
    cacheReadTokens,
    cacheWriteTokens: 0,
    outputTokens: asCount(usage['completion_tokens']),
  };
}
