import type { PriceUsdField } from '@tollgate/core/money/price-fields';
import { keysOf } from '@tollgate/core/runtime/keys-of';
import { cn } from '../../../lib/cn.ts';
import { formatCount } from '../../../lib/format/count.ts';
import { formatPrice } from '../../../lib/format/money.ts';
import { formatDateTime } from '../../../lib/format/time.ts';
import type { RequestDetail } from '../../../lib/trpc.ts';

type Cost = NonNullable<RequestDetail['cost']>;

/** The rows; `fallback` is shown if the class has no separate price. */
const ROWS: Record<PriceUsdField, { label: string; fallback: string | null }> = {
  inputUsd: { label: 'Input', fallback: null },
  cacheReadUsd: { label: 'Cached input', fallback: 'same as input' },
  cacheWriteUsd: { label: 'Cache write', fallback: 'same as input' },
  cacheWrite1hUsd: { label: 'Cache write (1 h)', fallback: 'same as cache write' },
  outputUsd: { label: 'Output', fallback: null },
};

const CELL = 'py-1.5 pl-3 text-right';

/** The full price version that a request was billed with, including unused prices. */
export function PriceVersion({ cost }: { cost: Cost }) {
  const { prices, isLongInput } = cost;
  const since = formatDateTime(new Date(cost.priceSince));
  return (
    <details className="mt-2 text-[12.5px] text-ink-2">
      <summary className="cursor-pointer rounded-sm text-ink-3 hover:text-ink-2 pointer-coarse:py-2.5">
        Price {isLongInput && 'for long input '}effective since {since}
      </summary>
      <table className="mt-1 w-full">
        <caption className="sr-only">All prices of that version, in USD per million tokens</caption>
        <thead className="text-ink-3">
          <tr>
            <th scope="col" className="py-1.5 text-left font-normal">
              USD per million tokens
            </th>
            <th scope="col" className={cn(CELL, 'font-normal')}>
              {prices.longInput === null
                ? 'Price'
                : `Up to ${formatCount(prices.longInput.aboveInputTokens)} input`}
            </th>
            {prices.longInput !== null && (
              <th scope="col" className={cn(CELL, 'font-normal')}>
                Above
              </th>
            )}
          </tr>
        </thead>
        <tbody className="divide-y border-t">
          {keysOf(ROWS).map((field) => (
            <tr key={field}>
              <th scope="row" className="py-1.5 text-left font-normal">
                {ROWS[field].label}
              </th>
              <PriceCell price={prices[field]} fallback={ROWS[field].fallback} isApplied={!isLongInput} />
              {prices.longInput !== null && (
                <PriceCell
                  price={prices.longInput[field]}
                  fallback={ROWS[field].fallback}
                  isApplied={isLongInput}
                />
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {prices.rates.length > 0 && (
        <p className="mt-1.5 font-mono text-[12px] whitespace-pre-line">
          {prices.rates.map(({ rate, value }) => `${rate} = ${value}`).join('\n')}
        </p>
      )}
    </details>
  );
}

interface PriceCellProps {
  price: string | null;
  /** Shown if the class has no separate price. */
  fallback: string | null;
  isApplied: boolean;
}

function PriceCell({ price, fallback, isApplied }: PriceCellProps) {
  if (price === null) return <td className={cn(CELL, 'text-ink-3')}>{fallback}</td>;
  return <td className={cn(CELL, 'font-mono', isApplied && 'text-ink')}>{formatPrice(price)}</td>;
}
