import { formatLimit } from '../../lib/format/count.ts';
import { formatPrice } from '../../lib/format/money.ts';
import type { CatalogueModel } from '../../lib/trpc.ts';

type PlanPrices = NonNullable<CatalogueModel['planPrices']>;

interface PriceCellProps {
  model: Pick<CatalogueModel, 'prices' | 'planPrices'>;
  of: (classes: Omit<PlanPrices, 'longInput'>) => string | null;
  note?: string;
}

/** What the account pays per million tokens. Below: the list price if it differs, and the price for long input. */
export function PriceCell({ model: { prices, planPrices }, of, note }: PriceCellProps) {
  const usd = planPrices === null ? null : of(planPrices);
  const listUsd = prices === null ? null : of(prices);
  if (planPrices === null || usd === null) {
    return (
      <span className="text-ink-3">
        <span aria-hidden>–</span>
        <span className="sr-only">{planPrices === null ? 'no price' : 'no separate price'}</span>
      </span>
    );
  }
  const { longInput } = planPrices;
  const longUsd = longInput === null ? null : of(longInput);
  return (
    <div>
      {formatPrice(usd)}
      {note !== undefined && <span className="text-[12.5px] text-ink-3"> {note}</span>}
      {listUsd !== null && listUsd !== usd && (
        <div className="text-[12.5px] whitespace-nowrap text-ink-3">list price {formatPrice(listUsd)}</div>
      )}
      {longInput !== null && longUsd !== null && (
        <div className="text-[12.5px] whitespace-normal text-ink-2">
          {formatPrice(longUsd)}{' '}
          <span className="whitespace-nowrap text-ink-3">
            above {formatLimit(longInput.aboveInputTokens)}
          </span>
        </div>
      )}
    </div>
  );
}
