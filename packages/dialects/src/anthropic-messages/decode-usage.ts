import { NO_USAGE, type TokenUsage } from '@tollgate/core/money';
import { asCount, type JsonObject } from '../json/parse-object.ts';

/**
 * Reads Anthropic's `usage`. Its input count leaves cached tokens out; in a stream the counts of `message_delta` are
 * cumulative and may leave out what `message_start` said, so each is laid over what is known.
 */
export function decodeAnthropicUsage(usage: JsonObject, known: TokenUsage = NO_USAGE): TokenUsage {
  const count = (field: string, before: number) =>
    usage[field] === undefined || usage[field] === null ? before : asCount(usage[field]);
  return {
    inputTokens: count('input_tokens', known.inputTokens),
    cacheReadTokens: count('cache_read_input_tokens', known.cacheReadTokens),
    cacheWriteTokens: count('cache_creation_input_tokens', known.cacheWriteTokens),
    outputTokens: count('output_tokens', known.outputTokens),
  };
}
