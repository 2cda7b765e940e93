import { formatLimit } from '../../lib/format/count.ts';
import { formatPrice } from '../../lib/format/money.ts';
import type { CatalogueModel } from '../../lib/trpc.ts';

type Prices = NonNullable<CatalogueModel['prices']>;

interface PriceCellProps {
  prices: Prices | null;
  of: (classes: Omit<Prices, 'longInput' | 'rates'>) => string | null;
  note?: string;
}

/** Price per million tokens, with the long-input price below. */
export function PriceCell({ prices, of, note }: PriceCellProps) {
  const usd = prices === null ? null : of(prices);
  if (prices === null || usd === null) {
    return (
      <span className="text-ink-3">
        <span aria-hidden>–</span>
        <span className="sr-only">{prices === null ? 'no price' : 'no separate price'}</span>
      </span>
    );
  }
  const { longInput } = prices;
  const longUsd = longInput === null ? null : of(longInput);
  return (
    <div>
      {formatPrice(usd)}
      {note !== undefined && <span className="text-[12.5px] text-ink-3"> {note}</span>}
      {longInput !== null && longUsd !== null && (
        <div className="text-[12.5px] text-ink-2">
          {formatPrice(longUsd)}{' '}
          <span className="whitespace-nowrap text-ink-3">
            <span aria-hidden>&gt;</span>
            <span className="sr-only">above</span> {formatLimit(longInput.aboveInputTokens)}
          </span>
        </div>
      )}
    </div>
  );
}
