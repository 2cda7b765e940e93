import { listOffers } from '@tollgate/upstreams/catalogue/model-catalogue';
import type { CatalogueModel } from '@tollgate/upstreams/catalogue/define-models';
import { Failure } from '../../failure.ts';
import { pricesJson } from './price-view.ts';

/** True if the catalogue has the model. */
export const hasOffer = (id: string): boolean => listOffers(id).length > 0;

/**
 * Finds the catalogue entry of a model if there is only one, or if all have the same price.
 * @param preset the preset whose prices to use; null: any
 * @throws Failure if there is no entry, or if prices differ
 */
export function getOffer(id: string, preset: string | null): CatalogueModel {
  const offers = listOffers(id);
  const [first, ...others] = offers.filter((offer) => preset === null || offer.preset === preset);
  if (first === undefined) {
    const known = offers.length > 0 ? `no price for ${id} at ${preset}` : `no model ${id}`;
    throw new Failure(
      'not_in_catalogue',
      `The catalogue has ${known}. Give --input-price and --output-price, or see \`tollgate model catalogue\`.`,
    );
  }
  const asked = JSON.stringify(pricesJson(first.prices));
  if (others.some((offer) => JSON.stringify(pricesJson(offer.prices)) !== asked)) {
    const presets = offers.map((offer) => offer.preset).join(', ');
    throw new Failure(
      'several_prices',
      `The price of ${id} differs between ${presets}. Choose one with --preset, or give --input-price and --output-price.`,
    );
  }
  return first;
}
