import type { PriceUsdField } from '@tollgate/core/money/price-fields';
import { typedKeys } from '@tollgate/core/runtime/typed-keys';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
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

/** The full price version that a request was billed with, including unused prices. */
export function PriceVersion({ cost }: { cost: Cost }) {
  const { prices, isLongInput } = cost;
  const since = formatDateTime(new Date(cost.priceSince));
  return (
    <details className="mt-2 text-[12.5px] text-ink-2">
      <summary className="cursor-pointer rounded-sm text-ink-3 hover:text-ink-2 pointer-coarse:py-2.5">
        Price {isLongInput && 'for long input '}effective since {since}
      </summary>
      <DataTable
        caption="All prices of that version, in USD per million tokens"
        density="plain"
        columns={columns(cost)}
        rows={typedKeys(ROWS)}
        rowKey={(field) => field}
      />
      {prices.rates.length > 0 && (
        <p className="mt-1.5 font-mono text-[12px] whitespace-pre-line">
          {prices.rates.map(({ rate, value }) => `${rate} = ${value}`).join('\n')}
        </p>
      )}
    </details>
  );
}

type Prices = Pick<Cost['prices'], PriceUsdField>;

function columns({ prices, isLongInput }: Cost): Column<PriceUsdField>[] {
  const { longInput } = prices;
  const price = (head: string, version: Prices, isApplied: boolean): Column<PriceUsdField> => ({
    head,
    kind: 'money',
    cell: (field) => {
      const usd = version[field];
      if (usd === null) return <span className="font-sans text-ink-3">{ROWS[field].fallback}</span>;
      return <span className={cn(isApplied && 'text-ink')}>{formatPrice(usd)}</span>;
    },
  });
  const name: Column<PriceUsdField> = { head: 'USD per million tokens', cell: (field) => ROWS[field].label };
  if (longInput === null) return [name, price('Price', prices, true)];
  return [
    name,
    price(`Up to ${formatCount(longInput.aboveInputTokens)} input`, prices, !isLongInput),
    price('Above', longInput, isLongInput),
  ];
}
