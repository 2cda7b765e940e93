import { FULL_PRICE_PPM } from '@tollgate/core/money/money';

const PPM_PER_PERCENT = 10_000;

/** What a plan charges of a model's price, in a person's words: `1_200_000` → `120% of the model's price`. */
export function describePrice(pricePpm: number): string {
  if (pricePpm === FULL_PRICE_PPM) return "The model's price";
  if (pricePpm === 0) return 'Free';
  // Four decimals of a percent are all that millionths have: nothing is rounded away.
  const percent = (pricePpm / PPM_PER_PERCENT).toFixed(4).replace(/\.?0+$/, '');
  return `${percent}% of the model's price`;
}
