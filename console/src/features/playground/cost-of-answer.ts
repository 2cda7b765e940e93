import { parseUsd, type ClassPrices, type NanoUsd, type TokenUsage } from '@tollgate/core/money/money';
import { costOf } from '@tollgate/core/money/rates/cost-of';
import { toRates } from '@tollgate/core/money/rates/rate-lines';
import type { Catalogue, CatalogueModel } from '../../lib/trpc.ts';

type PricesView = NonNullable<CatalogueModel['prices']>;

/**
 * What an answer costs at the prices in force, as the api computes it.
 * @returns nano-dollars; null if the model has no price
 */
export function costOfAnswer(catalogue: Catalogue, model: string, usage: TokenUsage): NanoUsd | null {
  const prices = catalogue.models.find(({ id }) => id === model)?.prices ?? null;
  if (prices === null) return null;
  const { longInput } = prices;
  const full = {
    ...toClassPrices(prices),
    longInput:
      longInput === null
        ? null
        : { ...toClassPrices(longInput), aboveInputTokens: longInput.aboveInputTokens },
  };
  return costOf(usage, { ...full, rates: toRates(prices.rates) }, catalogue.pricePpm);
}

function toClassPrices(view: Omit<PricesView, 'longInput' | 'rates'>): ClassPrices {
  const orNull = (usd: string | null) => (usd === null ? null : parseUsd(usd));
  return {
    inputNanoUsdPerMtok: parseUsd(view.inputUsd) ?? 0n,
    outputNanoUsdPerMtok: parseUsd(view.outputUsd) ?? 0n,
    cacheReadNanoUsdPerMtok: orNull(view.cacheReadUsd),
    cacheWriteNanoUsdPerMtok: orNull(view.cacheWriteUsd),
    cacheWrite1hNanoUsdPerMtok: orNull(view.cacheWrite1hUsd),
  };
}
