import type { TokenUsage } from '@tollgate/core/money';
import { asCount, asObject, type JsonObject } from '../json/parse-object.ts';

/** @returns the `usage` of a completion or a chunk; Groq's older streams keep it under `x_groq` */
export function findOpenAiUsage(body: JsonObject): JsonObject | null {
  return asObject(body['usage']) ?? asObject(asObject(body['x_groq'])?.['usage']);
}

/**
 * Reads the `usage` of a completion or a chunk. OpenAI counts cached input inside `prompt_tokens` and reasoning inside
 * `completion_tokens`; xAI and Gemini leave reasoning out of the latter and count it in `total_tokens` alone.
 * @returns null where the provider reported none
 */
export function decodeOpenAiUsage(body: JsonObject): TokenUsage | null {
  const usage = findOpenAiUsage(body);
  if (usage === null) return null;
  const promptTokens = asCount(usage['prompt_tokens']);
  const details = asObject(usage['prompt_tokens_details']);
  // DeepSeek and Together have names of their own.
  const cached = details?.['cached_tokens'] ?? usage['prompt_cache_hit_tokens'] ?? usage['cached_tokens'];
  const cacheReadTokens = Math.min(asCount(cached), promptTokens);
  const cacheWriteTokens = Math.min(asCount(details?.['cache_write_tokens']), promptTokens - cacheReadTokens);
  const beyondPrompt = asCount(usage['total_tokens']) - promptTokens;
  return {
    inputTokens: promptTokens - cacheReadTokens - cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
    // Nobody who speaks this dialect tells for how long.
    cacheWrite1hTokens: 0,
    outputTokens: Math.max(asCount(usage['completion_tokens']), beyondPrompt),
  };
}
