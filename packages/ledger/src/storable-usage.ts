import type { RequestRecord } from '@tollgate/core/ledger';
import type { TokenUsage, UsageExtras, UsageIteration } from '@tollgate/core/money';
import { boundRawUsage } from '@tollgate/core/rates/raw-usage';
import { SERVER_TOOLS } from '@tollgate/core/rates/rate-need';
import { boundCost, boundCount, boundName } from './storable-values.ts';

/** More further models than any request uses. */
const MAX_ITERATIONS = 64;

type Billing = Pick<
  RequestRecord,
  'extras' | 'rawUsage' | 'reportedCostNanoUsd' | 'servedTerms' | 'billedTerms' | 'priceMismatch'
>;

/** What describes a bill comes from providers: whatever they say, it can be stored. Absent members stay absent. */
export function boundBilling(record: Billing): Billing {
  const { extras, rawUsage, reportedCostNanoUsd, servedTerms, billedTerms, priceMismatch } = record;
  return {
    ...(extras !== undefined && { extras: boundExtras(extras) }),
    ...(isThere(rawUsage) && { rawUsage: boundRawUsage(rawUsage) }),
    ...(isThere(reportedCostNanoUsd) && { reportedCostNanoUsd: boundCost(reportedCostNanoUsd) }),
    ...(isThere(servedTerms) && {
      servedTerms: {
        model: boundName(servedTerms.model),
        serviceTier: boundName(servedTerms.serviceTier),
        speed: boundName(servedTerms.speed),
        inferenceGeo: boundName(servedTerms.inferenceGeo),
      },
    }),
    ...(isThere(billedTerms) && {
      billedTerms: {
        serviceTier: boundName(billedTerms.serviceTier),
        speed: boundName(billedTerms.speed),
        inferenceGeo: boundName(billedTerms.inferenceGeo),
      },
    }),
    ...(isThere(priceMismatch) && { priceMismatch: boundName(priceMismatch) }),
  };
}

function isThere<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

function boundExtras(extras: UsageExtras): UsageExtras {
  const { audioInputTokens, audioOutputTokens, imageInputTokens, imageOutputTokens, toolCalls, iterations } =
    extras;
  return {
    ...(audioInputTokens !== undefined && { audioInputTokens: boundCount(audioInputTokens) }),
    ...(audioOutputTokens !== undefined && { audioOutputTokens: boundCount(audioOutputTokens) }),
    ...(imageInputTokens !== undefined && { imageInputTokens: boundCount(imageInputTokens) }),
    ...(imageOutputTokens !== undefined && { imageOutputTokens: boundCount(imageOutputTokens) }),
    ...(toolCalls !== undefined && {
      toolCalls: Object.fromEntries(
        SERVER_TOOLS.flatMap((tool) => {
          const calls = toolCalls[tool];
          return calls === undefined ? [] : [[tool, boundCount(calls)]];
        }),
      ),
    }),
    ...(iterations !== undefined && {
      iterations: iterations.slice(0, MAX_ITERATIONS).map(boundIteration),
    }),
  };
}

function boundIteration({ model, usage, priceId }: UsageIteration): UsageIteration {
  return {
    model: boundName(model) ?? '',
    usage: boundTokens(usage),
    ...(priceId !== undefined && { priceId }),
  };
}

/** The counts of plain tokens, without extras. */
export function boundTokens(usage: TokenUsage): TokenUsage {
  return {
    inputTokens: boundCount(usage.inputTokens),
    cacheReadTokens: boundCount(usage.cacheReadTokens),
    cacheWriteTokens: boundCount(usage.cacheWriteTokens),
    cacheWrite1hTokens: boundCount(usage.cacheWrite1hTokens),
    outputTokens: boundCount(usage.outputTokens),
  };
}
