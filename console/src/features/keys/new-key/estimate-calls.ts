import { FULL_PRICE_PPM, parseUsd } from '@tollgate/core/money/money';
import { costOfTokens } from '@tollgate/core/money/rates/compute-cost';
import type { Model } from '../../../lib/trpc.ts';
import { plainNumber } from '../../../lib/typed-number.ts';

/** Size of the request that the estimate uses. */
export const TYPICAL_CALL = { inputTokens: 1_000, outputTokens: 300 } as const;

const SIGNIFICANT_DIGITS = 3;

/**
 * Minimum number of typical requests that a budget covers, at the most expensive model, rounded down.
 * @returns null without a budget, a model or a cost
 */
export function estimateCalls(
  budgetText: string,
  models: Pick<Model, 'inputUsdPerMtok' | 'outputUsdPerMtok'>[],
): number | null {
  const budget = parseUsd(plainNumber(budgetText));
  if (budget === null) return null;
  let highestCost = 0n;
  for (const model of models) {
    const cost = costOfTokens(
      [
        { tokens: TYPICAL_CALL.inputTokens, rateNanoUsd: parseUsd(model.inputUsdPerMtok) ?? 0n },
        { tokens: TYPICAL_CALL.outputTokens, rateNanoUsd: parseUsd(model.outputUsdPerMtok) ?? 0n },
      ],
      FULL_PRICE_PPM,
    );
    if (cost > highestCost) highestCost = cost;
  }
  if (highestCost === 0n) return null;
  return roundDown(Number(budget / highestCost));
}

function roundDown(count: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, count))) + 1 - SIGNIFICANT_DIGITS);
  return Math.floor(count / step) * step;
}
