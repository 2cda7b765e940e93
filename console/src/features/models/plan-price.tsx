import { FULL_PRICE_PPM } from '@tollgate/core/money/money';

const PPM_PER_PERCENT = 10_000;

/** Notice if the plan charges a different share of the shown prices. */
export function PlanPrice({ pricePpm }: { pricePpm: number }) {
  if (pricePpm === FULL_PRICE_PPM) return null;
  const percent = (pricePpm / PPM_PER_PERCENT).toFixed(4).replace(/\.?0+$/, '');
  return (
    <p className="border-t px-3.5 py-2.5 text-[12.5px] text-ink-2">
      {pricePpm === 0
        ? 'Your plan does not charge these prices.'
        : `Your plan charges ${percent}% of these prices.`}
    </p>
  );
}
