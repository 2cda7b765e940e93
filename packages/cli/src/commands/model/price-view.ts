import { formatUsd, type ClassPrices, type NanoUsd } from '@tollgate/core/money/money';
import type { RateCard } from '@tollgate/core/money/rates/rate-card';
import { toRateLines } from '@tollgate/core/money/rates/rate-lines';

/** Prices in USD per million tokens. */
export function pricesJson(prices: RateCard) {
  const { longInput } = prices;
  return {
    ...classPricesJson(prices),
    longInput:
      longInput === undefined || longInput === null
        ? null
        : { aboveInputTokens: longInput.aboveInputTokens, ...classPricesJson(longInput) },
    rates: Object.fromEntries(toRateLines(prices.rates).map(({ rate, value }) => [rate, value])),
  };
}

function classPricesJson(prices: ClassPrices) {
  return {
    inputUsdPerMtok: formatUsd(prices.inputNanoUsdPerMtok),
    outputUsdPerMtok: formatUsd(prices.outputNanoUsdPerMtok),
    cacheReadUsdPerMtok: orNull(prices.cacheReadNanoUsdPerMtok),
    cacheWriteUsdPerMtok: orNull(prices.cacheWriteNanoUsdPerMtok),
    cacheWrite1hUsdPerMtok: orNull(prices.cacheWrite1hNanoUsdPerMtok),
  };
}

function orNull(amount: NanoUsd | null): string | null {
  return amount === null ? null : formatUsd(amount);
}
