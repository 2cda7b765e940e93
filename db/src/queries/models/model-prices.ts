import type { LongInputPrices } from '@tollgate/core/money/money';
import type { RateCard } from '@tollgate/core/money/rates/rate-card';
import { decodeRates, encodeRates } from '@tollgate/core/money/rates/stored-rates';
import type { modelPrices } from '../../schema/catalogue.ts';

type PriceRow = typeof modelPrices.$inferSelect;
type PriceColumns = Omit<typeof modelPrices.$inferInsert, 'id' | 'modelId' | 'effectiveFrom'>;

/** A version of a model's prices, and since when it holds. */
export interface ModelPrice extends RateCard {
  id: number;
  modelId: string;
  effectiveFrom: Date;
}

export function toModelPrice(row: PriceRow): ModelPrice {
  return {
    id: row.id,
    modelId: row.modelId,
    effectiveFrom: row.effectiveFrom,
    inputNanoUsdPerMtok: row.inputNanoUsdPerMtok,
    outputNanoUsdPerMtok: row.outputNanoUsdPerMtok,
    cacheReadNanoUsdPerMtok: row.cacheReadNanoUsdPerMtok,
    cacheWriteNanoUsdPerMtok: row.cacheWriteNanoUsdPerMtok,
    cacheWrite1hNanoUsdPerMtok: row.cacheWrite1hNanoUsdPerMtok,
    longInput: toLongInput(row),
    rates: decodeRates(row.rates),
  };
}

/** The database checks that the three are set together or not at all. */
function toLongInput(row: PriceRow): LongInputPrices | null {
  const { aboveInputTokens, longInputNanoUsdPerMtok: input, longOutputNanoUsdPerMtok: output } = row;
  if (aboveInputTokens === null || input === null || output === null) return null;
  return {
    aboveInputTokens,
    inputNanoUsdPerMtok: input,
    outputNanoUsdPerMtok: output,
    cacheReadNanoUsdPerMtok: row.longCacheReadNanoUsdPerMtok,
    cacheWriteNanoUsdPerMtok: row.longCacheWriteNanoUsdPerMtok,
    cacheWrite1hNanoUsdPerMtok: row.longCacheWrite1hNanoUsdPerMtok,
  };
}

/** Every column of the prices is named, so that two rows compare by them. */
export function toPriceColumns(prices: RateCard): Required<PriceColumns> {
  const { longInput } = prices;
  return {
    inputNanoUsdPerMtok: prices.inputNanoUsdPerMtok,
    outputNanoUsdPerMtok: prices.outputNanoUsdPerMtok,
    cacheReadNanoUsdPerMtok: prices.cacheReadNanoUsdPerMtok,
    cacheWriteNanoUsdPerMtok: prices.cacheWriteNanoUsdPerMtok,
    cacheWrite1hNanoUsdPerMtok: prices.cacheWrite1hNanoUsdPerMtok,
    aboveInputTokens: longInput?.aboveInputTokens ?? null,
    longInputNanoUsdPerMtok: longInput?.inputNanoUsdPerMtok ?? null,
    longOutputNanoUsdPerMtok: longInput?.outputNanoUsdPerMtok ?? null,
    longCacheReadNanoUsdPerMtok: longInput?.cacheReadNanoUsdPerMtok ?? null,
    longCacheWriteNanoUsdPerMtok: longInput?.cacheWriteNanoUsdPerMtok ?? null,
    longCacheWrite1hNanoUsdPerMtok: longInput?.cacheWrite1hNanoUsdPerMtok ?? null,
    rates: encodeRates(prices.rates),
  };
}

export function hasSamePrices(a: RateCard, b: RateCard): boolean {
  const other = new Map<string, unknown>(Object.entries(toPriceColumns(b)));
  return Object.entries(toPriceColumns(a)).every(([column, price]) =>
    column === 'rates'
      ? JSON.stringify(price) === JSON.stringify(other.get(column))
      : other.get(column) === price,
  );
}
