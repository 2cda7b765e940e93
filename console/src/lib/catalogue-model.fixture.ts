import type { CatalogueModel } from './trpc.ts';

const PRICES = {
  inputUsd: '1.00',
  outputUsd: '2.00',
  cacheReadUsd: null,
  cacheWriteUsd: null,
  cacheWrite1hUsd: null,
  longInput: null,
  rates: [],
};

/** A callable model of the catalogue. */
export function getModel(
  id: string,
  rest: Partial<CatalogueModel> = {},
  prices: Partial<typeof PRICES> = {},
): CatalogueModel {
  return {
    id,
    title: '',
    availability: 'available',
    contextTokens: null,
    maxOutputTokens: null,
    capabilities: [],
    retiresAt: null,
    prices: { ...PRICES, ...prices },
    planPrices: null,
    ...rest,
  };
}
