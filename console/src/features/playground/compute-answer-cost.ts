import type { NanoUsd, TokenUsage } from '@tollgate/core/money/money';
import { toRateCard } from '@tollgate/core/money/price-terms';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import type { Catalogue } from '../../lib/trpc.ts';

/**
 * What an answer costs at the prices in force, as the api computes it.
 * @returns nano-dollars; null if the model has no price
 */
export function costOfAnswer(catalogue: Catalogue, model: string, usage: TokenUsage): NanoUsd | null {
  const prices = catalogue.models.find(({ id }) => id === model)?.prices ?? null;
  if (prices === null) return null;
  return computeCost(usage, toRateCard(prices), catalogue.plan.pricePpm);
}
