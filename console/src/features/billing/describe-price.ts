import { FULL_PRICE_PPM } from '@tollgate/core/money/money';

const PPM_PER_PERCENT = 10_000;

/** What a plan charges of the list prices: `1_200_000` → `120% of list prices`. */
export function describePrice(pricePpm: number): string {
  if (pricePpm === FULL_PRICE_PPM) return 'List prices';
  if (pricePpm === 0) return 'Free';
  // Four decimals of a percent are all that millionths have: nothing is rounded away.
  const percent = (pricePpm / PPM_PER_PERCENT).toFixed(4).replace(/\.?0+$/, '');
  return `${percent}% of list prices`;
}
