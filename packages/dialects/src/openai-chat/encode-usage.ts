import type { CompletionUsage } from '@tollgate/core/completion/response';
import { getInputTokens } from '@tollgate/core/money/money';
import type { JsonObject } from '../json/parse-object.ts';

/** Writes `usage`: everything that was read counts as prompt, cached or not; reasoning counts as completion. */
export function encodeOpenAiUsage(usage: CompletionUsage): JsonObject {
  const { cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens, outputTokens, reasoningTokens } = usage;
  const written = cacheWriteTokens + cacheWrite1hTokens;
  const promptTokens = getInputTokens(usage);
  const writes = written === 0 ? {} : { cache_write_tokens: written };
  return {
    prompt_tokens: promptTokens,
    completion_tokens: outputTokens,
    total_tokens: promptTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens, ...writes },
    ...(reasoningTokens === null ? {} : { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  };
}
