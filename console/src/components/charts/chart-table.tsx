import { useState } from 'react';
import { cn } from '../../lib/cn.ts';
import type { ChartBucket, ChartSeries } from './chart-data.ts';
import { SortableHead, type SortDirection } from './sortable-head.tsx';

const CELL = 'px-3.5 py-2 whitespace-nowrap';
const NUMBER = `${CELL} text-right`;

interface ChartTableProps {
  caption: string;
  buckets: ChartBucket[];
  series: ChartSeries[];
  /** All series together; null: they cannot be added. */
  totals: string[] | null;
  comparison?: ChartSeries | undefined;
  /** Amounts of money, which are set in mono. */
  isMoney?: boolean;
}

interface Sort {
  /** `time`, or a series. */
  by: string;
  direction: SortDirection;
}

/** What a chart shows, in rows that can be sorted by any column. */
export function ChartTable(props: ChartTableProps) {
  const { caption, buckets, series, totals, comparison, isMoney = false } = props;
  const number = cn(NUMBER, isMoney && 'font-mono text-[12.5px]');
  const [sort, setSort] = useState<Sort>({ by: 'time', direction: 'descending' });
  const order = sortedIndexes(buckets, series, sort);
  const head = (id: string, label: string) => (
    <SortableHead
      key={id}
      label={label}
      isNumber={id !== 'time'}
      direction={sort.by === id ? sort.direction : null}
      onSort={(direction) => setSort({ by: id, direction })}
    />
  );
  return (
    <section
      // The card around it bears the same title.
      aria-label={`${caption}, as a table`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls takes the focus
      tabIndex={0}
      className="mt-2 max-h-[560px] overflow-auto border-t"
    >
      <table className="w-full text-[13px]">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 z-[1] bg-surface">
          <tr className="border-b">
            {head('time', 'Time')}
            {series.map(({ id, label }) => head(id, label))}
            {totals !== null && series.length > 1 && (
              <th className={`${CELL} text-right text-xs font-medium text-ink-3`}>Total</th>
            )}
            {comparison !== undefined && (
              <th className={`${CELL} text-right text-xs font-medium text-ink-3`}>{comparison.label}</th>
            )}
          </tr>
        </thead>
        <tbody className="divide-y">
          {order.map((index) => (
            <tr key={buckets[index]?.start}>
              <th scope="row" className={`${CELL} text-left font-normal`}>
                {buckets[index]?.title}
              </th>
              {series.map(({ id, texts }) => (
                <td key={id} className={number}>
                  {texts[index]}
                </td>
              ))}
              {totals !== null && series.length > 1 && (
                <td className={cn(number, 'font-medium')}>{totals[index]}</td>
              )}
              {comparison !== undefined && (
                <td className={cn(number, 'text-ink-2')}>{comparison.texts[index] ?? '–'}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function sortedIndexes(buckets: ChartBucket[], series: ChartSeries[], { by, direction }: Sort): number[] {
  const values = series.find(({ id }) => id === by)?.values;
  const rank = (index: number) => (values === undefined ? index : (values[index] ?? -1));
  const sign = direction === 'ascending' ? 1 : -1;
  return buckets.map((_, index) => index).toSorted((left, right) => sign * (rank(left) - rank(right)));
}
