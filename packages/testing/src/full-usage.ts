import type { TokenUsage, UsageExtras, UsageIteration } from '@tollgate/core/money/money';
import type { ServerTool } from '@tollgate/core/money/rates/rate-need';

type Units = Required<Omit<UsageExtras, 'iterations' | 'toolCalls'>> & {
  toolCalls: Record<ServerTool, number>;
};
interface FullUsage extends TokenUsage {
  extras: Units & { iterations: (UsageIteration & { usage: TokenUsage & { extras: Units } })[] };
}

const UNITS: Units = {
  audioInputTokens: 101,
  audioOutputTokens: 102,
  imageInputTokens: 103,
  imageOutputTokens: 104,
  toolCalls: {
    web_search: 11,
    web_search_preview: 12,
    web_fetch: 13,
    code_execution: 14,
    file_search: 15,
    image_generation: 16,
  },
};
const TOKENS = {
  inputTokens: 1_001,
  cacheReadTokens: 1_002,
  cacheWriteTokens: 1_003,
  cacheWrite1hTokens: 1_004,
  outputTokens: 1_005,
};

/** A usage with all counts; a missing new count does not compile. */
export const FULL_USAGE: FullUsage = {
  ...TOKENS,
  extras: { ...UNITS, iterations: [{ model: 'other', priceId: 2, usage: { ...TOKENS, extras: UNITS } }] },
};
