import { PRICE_ORDER } from '@tollgate/core/money/price-fields';
import type { RateCard } from '@tollgate/core/money/rates/rate-card';
import { toRateLines, type RateLine } from '@tollgate/core/money/rates/rate-lines';
import { MODEL_CATALOGUE } from './model-catalogue.ts';
import type { CatalogueModel } from './define-models.ts';

/** A route of a model, with the fields that identify it in the catalogue. */
export interface CatalogueRoute {
  /** The provider's preset; null: none. */
  preset: string | null;
  /** The upstream model ID; null: the same as the model's id. */
  upstreamModel: string | null;
}

/**
 * Finds rates that the catalogue has and the model lacks. Only a model with the catalogue's token prices is compared:
 * published rates may be wrong next to custom prices.
 * @param routes of the model; rates on which its providers differ are left out
 * @returns none if the model has no price or a custom one
 */
export function findMissingRates(
  { id, prices }: { id: string; prices: RateCard | null },
  routes: readonly CatalogueRoute[],
): RateLine[] {
  if (prices === null) return [];
  const offers = MODEL_CATALOGUE.filter(
    (offer) =>
      routes.some((route) => isOffered(offer, id, route)) && hasSameTokenPrices(offer.prices, prices),
  );
  const [first, ...others] = offers.map((offer) => toRateLines(offer.prices.rates));
  if (first === undefined) return [];
  const known = new Set(toRateLines(prices.rates).map(({ rate }) => rate));
  return first.filter(
    (line) =>
      !known.has(line.rate) &&
      others.every((lines) => lines.some(({ rate, value }) => rate === line.rate && value === line.value)),
  );
}

function isOffered(offer: CatalogueModel, id: string, { preset, upstreamModel }: CatalogueRoute): boolean {
  return offer.preset === preset && (offer.upstreamModel ?? offer.id) === (upstreamModel ?? id);
}

/** True if two rate cards have the same token prices; other rates are ignored. */
export function hasSameTokenPrices(a: RateCard, b: RateCard): boolean {
  const [longA, longB] = [a.longInput ?? null, b.longInput ?? null];
  if (PRICE_ORDER.some((name) => a[name] !== b[name])) return false;
  if (longA === null || longB === null) return longA === longB;
  return (
    longA.aboveInputTokens === longB.aboveInputTokens &&
    PRICE_ORDER.every((name) => longA[name] === longB[name])
  );
}
