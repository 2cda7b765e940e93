import {
  MEDIA_COUNTS,
  type MediaCount,
  type TokenUsage,
  type UsageExtras,
  type UsageIteration,
} from '@tollgate/core/money/money';
import { SERVER_TOOLS, type RateTerms, type ServedTerms } from '@tollgate/core/money/rates/rate-need';
import { boundName } from '@tollgate/core/requests/storable-name';
import { boundCount } from './storable-values.ts';

/** More additional models than any request uses. */
const MAX_ITERATIONS = 64;

export function boundServedTerms(terms: ServedTerms | null): ServedTerms | null {
  return terms === null ? null : { model: boundName(terms.model), ...boundTerms(terms) };
}

export function boundBilledTerms(terms: RateTerms | null): RateTerms | null {
  return terms === null ? null : boundTerms(terms);
}

function boundTerms({ serviceTier, speed, inferenceGeo }: RateTerms): RateTerms {
  return {
    serviceTier: boundName(serviceTier),
    speed: boundName(speed),
    inferenceGeo: boundName(inferenceGeo),
  };
}

/** Makes billing details from providers storable. Absent members stay absent. */
export function boundExtras(extras: UsageExtras): UsageExtras {
  const { toolCalls, iterations } = extras;
  const counts: Partial<Record<MediaCount, number>> = {};
  for (const { count } of MEDIA_COUNTS) {
    const tokens = extras[count];
    if (tokens !== undefined) counts[count] = boundCount(tokens);
  }
  return {
    ...counts,
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
    model: boundName(model),
    usage: boundIterationUsage(usage),
    ...(priceId !== undefined && { priceId }),
  };
}

/** Iterations are not nested. */
function boundIterationUsage(usage: TokenUsage): TokenUsage {
  const tokens = boundTokens(usage);
  if (usage.extras === undefined) return tokens;
  return { ...tokens, extras: boundExtras({ ...usage.extras, iterations: undefined }) };
}

/** Counts of standard tokens, without extras. */
function boundTokens(usage: TokenUsage): TokenUsage {
  return {
    inputTokens: boundCount(usage.inputTokens),
    cacheReadTokens: boundCount(usage.cacheReadTokens),
    cacheWriteTokens: boundCount(usage.cacheWriteTokens),
    cacheWrite1hTokens: boundCount(usage.cacheWrite1hTokens),
    outputTokens: boundCount(usage.outputTokens),
  };
}
