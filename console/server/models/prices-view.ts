import { formatUsd, type ClassPrices, type TokenPrices } from '@tollgate/core/money';

/** What each class of token costs, in USD per million tokens; null: the same as the class that it falls back to. */
interface ClassPricesView {
  inputUsd: string;
  outputUsd: string;
  /** null: as input. */
  cacheReadUsd: string | null;
  /** null: as input. */
  cacheWriteUsd: string | null;
  /** null: as a cache write. */
  cacheWrite1hUsd: string | null;
}

export interface PricesView extends ClassPricesView {
  /** null: they hold for an input of any length. */
  longInput: (ClassPricesView & { aboveInputTokens: number }) | null;
}

/** A version of a model's prices, as people read it. */
export function toPricesView(prices: TokenPrices): PricesView {
  const { longInput = null } = prices;
  return {
    ...toClassPricesView(prices),
    longInput:
      longInput === null
        ? null
        : { ...toClassPricesView(longInput), aboveInputTokens: longInput.aboveInputTokens },
  };
}

function toClassPricesView(prices: ClassPrices): ClassPricesView {
  const orNull = (amount: bigint | null) => (amount === null ? null : formatUsd(amount));
  return {
    inputUsd: formatUsd(prices.inputNanoUsdPerMtok),
    outputUsd: formatUsd(prices.outputNanoUsdPerMtok),
    cacheReadUsd: orNull(prices.cacheReadNanoUsdPerMtok),
    cacheWriteUsd: orNull(prices.cacheWriteNanoUsdPerMtok),
    cacheWrite1hUsd: orNull(prices.cacheWrite1hNanoUsdPerMtok),
  };
}
