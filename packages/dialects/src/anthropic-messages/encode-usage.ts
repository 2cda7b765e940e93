import type { CompletionUsage } from '@tollgate/core/completion/response';
import type { JsonObject } from '../json/parse-object.ts';

/**
 * Writes `usage` as `message_delta` holds it; every count is the total so far. Like Anthropic, it leaves out what is unknown:
 * some clients reject null.
 */
export function encodeUsage(usage: CompletionUsage): JsonObject {
  const { reasoningTokens } = usage;
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens + usage.cacheWrite1hTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    output_tokens: usage.outputTokens,
    ...(reasoningTokens !== null && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  };
}

/** Writes `usage` as a whole message and `message_start` hold it. */
export function encodeMessageUsage(usage: CompletionUsage, serviceTier: string | null): JsonObject {
  const tier = encodeServiceTier(serviceTier);
  return {
    ...encodeUsage(usage),
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWriteTokens,
      ephemeral_1h_input_tokens: usage.cacheWrite1hTokens,
    },
    ...(tier !== null && { service_tier: tier }),
  };
}

function encodeServiceTier(tier: string | null): string | null {
  if (tier === 'default') return 'standard';
  return tier === 'standard' || tier === 'priority' || tier === 'batch' ? tier : null;
}
