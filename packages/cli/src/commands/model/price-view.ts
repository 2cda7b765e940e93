import { formatUsd, type ClassPrices } from '@tollgate/core/money/money';
import { PRICE_FIELDS, PRICE_ORDER } from '@tollgate/core/money/price-fields';
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

/** The member of each price: `inputUsdPerMtok`. */
function classPricesJson(prices: ClassPrices): Record<string, string | null> {
  const members = PRICE_ORDER.map((field) => {
    const price = prices[field];
    return [`${PRICE_FIELDS[field]}PerMtok`, price === null ? null : formatUsd(price)] as const;
  });
  return Object.fromEntries(members);
}
