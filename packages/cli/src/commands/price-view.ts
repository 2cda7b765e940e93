import { formatUsd, type ClassPrices, type NanoUsd, type TokenPrices } from '@tollgate/core/money';

/** Prices in USD per million tokens. */
export function pricesJson(prices: TokenPrices) {
  const { longInput } = prices;
  return {
    ...classPricesJson(prices),
    longInput:
      longInput === undefined || longInput === null
        ? null
        : { aboveInputTokens: longInput.aboveInputTokens, ...classPricesJson(longInput) },
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
