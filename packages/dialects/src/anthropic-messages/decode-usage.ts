import { NO_USAGE, type TokenUsage } from '@tollgate/core/money';
import { asCount, asObject, type JsonObject } from '../json/parse-object.ts';

/**
 * Reads Anthropic's `usage`. Its input count leaves cached tokens out; in a stream the counts of `message_delta` are
 * cumulative and may leave out what `message_start` said, so each is laid over what is known. What was written to the
 * cache is told as a whole, and by how long it is kept in `cache_creation`, which `message_delta` has not.
 */
export function decodeAnthropicUsage(usage: JsonObject, known: TokenUsage = NO_USAGE): TokenUsage {
  const byTtl = asObject(usage['cache_creation']);
  const oneHour = countIn(byTtl, 'ephemeral_1h_input_tokens') ?? known.cacheWrite1hTokens;
  const fiveMinutes = countIn(byTtl, 'ephemeral_5m_input_tokens') ?? known.cacheWriteTokens;
  const written = countIn(usage, 'cache_creation_input_tokens') ?? oneHour + fiveMinutes;
  const cacheWrite1hTokens = Math.min(oneHour, written);
  return {
    inputTokens: countIn(usage, 'input_tokens') ?? known.inputTokens,
    cacheReadTokens: countIn(usage, 'cache_read_input_tokens') ?? known.cacheReadTokens,
    cacheWriteTokens: written - cacheWrite1hTokens,
    cacheWrite1hTokens,
    outputTokens: countIn(usage, 'output_tokens') ?? known.outputTokens,
  };
}

/** @returns null where it is not told */
function countIn(object: JsonObject | null, name: string): number | null {
  const value = object?.[name];
  return value === undefined || value === null ? null : asCount(value);
}
