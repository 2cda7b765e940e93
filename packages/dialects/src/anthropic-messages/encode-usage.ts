import type { CompletionUsage } from '@tollgate/core/completion/response';
import type { JsonObject } from '../json/parse-object.ts';

/** Writes `usage` as `message_delta` holds it; every count is the total so far. */
export function encodeUsage(usage: CompletionUsage): JsonObject {
  const { reasoningTokens } = usage;
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens + usage.cacheWrite1hTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    output_tokens: usage.outputTokens,
    output_tokens_details: reasoningTokens === null ? null : { thinking_tokens: reasoningTokens },
    server_tool_use: null,
  };
}

/** Writes `usage` as a whole message and `message_start` hold it. */
export function encodeMessageUsage(usage: CompletionUsage, serviceTier: string | null): JsonObject {
  return {
    ...encodeUsage(usage),
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWriteTokens,
      ephemeral_1h_input_tokens: usage.cacheWrite1hTokens,
    },
    inference_geo: null,
    service_tier: encodeServiceTier(serviceTier),
    speed: null,
  };
}

function encodeServiceTier(tier: string | null): string | null {
  if (tier === 'default') return 'standard';
  return tier === 'standard' || tier === 'priority' || tier === 'batch' ? tier : null;
}
