import type { CompletionUsage } from '@tollgate/core/completion/response';
import { getInputTokens } from '@tollgate/core/money/money';
import type { JsonObject } from '../json/parse-object.ts';

/**
 * Writes `usage`: everything that was read counts as input, cached or not; reasoning is a part of the output, even if a
 * provider counts it apart.
 */
export function encodeOpenAiResponsesUsage(usage: CompletionUsage): JsonObject {
  const { cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens, outputTokens, reasoningTokens } = usage;
  const written = cacheWriteTokens + cacheWrite1hTokens;
  const read = getInputTokens(usage);
  return {
    input_tokens: read,
    input_tokens_details: { cached_tokens: cacheReadTokens, cache_write_tokens: written },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: Math.min(reasoningTokens ?? 0, outputTokens) },
    total_tokens: read + outputTokens,
  };
}
