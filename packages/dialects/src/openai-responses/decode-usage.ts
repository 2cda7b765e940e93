import type { CompletionUsage } from '@tollgate/core/completion/response';
import type { TokenUsage } from '@tollgate/core/money';
import { asCount, asObject, type JsonObject } from '../json/parse-object.ts';

/**
 * Reads the `usage` of a response (https://platform.openai.com/docs/api-reference/responses/object). Cached input is
 * counted inside `input_tokens`, reasoning inside `output_tokens`.
 * @returns null where the provider reported none
 */
export function decodeOpenAiResponsesUsage(response: JsonObject): TokenUsage | null {
  const usage = asObject(response['usage']);
  if (usage === null) return null;
  const read = asCount(usage['input_tokens']);
  const details = asObject(usage['input_tokens_details']);
  const cacheReadTokens = Math.min(asCount(details?.['cached_tokens']), read);
  const cacheWriteTokens = Math.min(asCount(details?.['cache_write_tokens']), read - cacheReadTokens);
  return {
    inputTokens: read - cacheReadTokens - cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
    // Nobody who speaks this dialect tells for how long.
    cacheWrite1hTokens: 0,
    outputTokens: Math.max(asCount(usage['output_tokens']), asCount(usage['total_tokens']) - read),
  };
}

/** Reads `usage` with the details that answers show. */
export function decodeOpenAiResponsesCompletionUsage(response: JsonObject): CompletionUsage | null {
  const usage = decodeOpenAiResponsesUsage(response);
  if (usage === null) return null;
  const reasoning = asObject(asObject(response['usage'])?.['output_tokens_details'])?.['reasoning_tokens'];
  return {
    ...usage,
    reasoningTokens: typeof reasoning === 'number' ? asCount(reasoning) : null,
  };
}
