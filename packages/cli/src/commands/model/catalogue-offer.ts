import { listOffers } from '@tollgate/upstreams/catalogue/model-catalogue';
import type { CatalogueModel } from '@tollgate/upstreams/catalogue/define-models';
import { Failure } from '../../failure.ts';
import { pricesJson } from './price-view.ts';

/** True if the catalogue knows the model. */
export const hasOffer = (id: string): boolean => listOffers(id).length > 0;

/**
 * The catalogue's row of a model, where it is one, or where all of them ask the same price.
 * @param preset whose prices; null: whoever serves it
 * @throws Failure that says why there is none to take
 */
export function getOffer(id: string, preset: string | null): CatalogueModel {
  const offers = listOffers(id);
  const [first, ...others] = offers.filter((offer) => preset === null || offer.preset === preset);
  if (first === undefined) {
    const known = offers.length > 0 ? `no price of ${id} at ${preset}` : `no model ${id}`;
    throw new Failure(
      'not_in_catalogue',
      `The catalogue knows ${known}: give --input-price and --output-price, or see \`tollgate model catalogue\``,
    );
  }
  const asked = JSON.stringify(pricesJson(first.prices));
  if (others.some((offer) => JSON.stringify(pricesJson(offer.prices)) !== asked)) {
    const presets = offers.map((offer) => offer.preset).join(', ');
    throw new Failure(
      'several_prices',
      `${id} has a price of its own at each of ${presets}: choose one with --preset, or give --input-price and --output-price`,
    );
  }
  return first;
}
