import { typedKeys } from '../runtime/typed-keys.ts';
import type { ClassPrices } from './money.ts';

export type PriceField = keyof ClassPrices;

/**
 * The prices of token classes, with their names in USD, in the order of price lists. `ClassPrices` is the one list of them:
 * every place that handles them has a `Record<PriceField, …>` or a function that the compiler checks against it.
 */
export const PRICE_FIELDS = {
  inputNanoUsdPerMtok: 'inputUsd',
  outputNanoUsdPerMtok: 'outputUsd',
  cacheReadNanoUsdPerMtok: 'cacheReadUsd',
  cacheWriteNanoUsdPerMtok: 'cacheWriteUsd',
  cacheWrite1hNanoUsdPerMtok: 'cacheWrite1hUsd',
} as const satisfies Record<PriceField, string>;

/** The name of a price in USD per million tokens. */
export type PriceUsdField = (typeof PRICE_FIELDS)[keyof typeof PRICE_FIELDS];

/** All prices, in the order of price lists. */
export const PRICE_ORDER: readonly PriceField[] = typedKeys(PRICE_FIELDS);
