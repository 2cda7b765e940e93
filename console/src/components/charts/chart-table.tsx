import { useState } from 'react';
import type { Column } from '../table/column.ts';
import { DataTable } from '../table/data-table.tsx';
import type { Sort } from '../table/table-head.tsx';
import type { ChartBucket, ChartSeries } from './chart-data.ts';

interface ChartTableProps {
  caption: string;
  buckets: ChartBucket[];
  series: ChartSeries[];
  /** Sums of all series; null if they cannot be added. */
  totals: string[] | null;
  comparison?: ChartSeries | undefined;
  isMoney?: boolean;
}

/** The values of a chart in a table that can be sorted by any column. */
export function ChartTable({
  caption,
  buckets,
  series,
  totals,
  comparison,
  isMoney = false,
}: ChartTableProps) {
  const [sort, setSort] = useState<Sort>({ by: 'time', direction: 'descending' });
  const kind = isMoney ? 'money' : 'number';
  // A row is the index of its bucket.
  const columns: Column<number>[] = [
    {
      id: 'time',
      head: 'Time',
      firstSort: 'ascending',
      className: 'whitespace-nowrap',
      cell: (index) => buckets[index]?.title,
    },
    ...series.map(({ id, label, texts }): Column<number> => ({
      id,
      head: label,
      kind,
      firstSort: 'descending',
      cell: (index) => texts[index],
    })),
  ];
  if (totals !== null && series.length > 1)
    columns.push({
      head: 'Total',
      id: 'sum',
      kind,
      className: 'font-medium',
      cell: (index) => totals[index],
    });
  if (comparison !== undefined)
    columns.push({
      head: comparison.label,
      id: 'comparison',
      kind,
      className: 'text-ink-2',
      cell: (index) => comparison.texts[index] ?? '–',
    });
  return (
    <div className="mt-2 border-t">
      <DataTable
        caption={caption}
        density="dense"
        header="sticky"
        scrollRegion={`${caption}, as a table`}
        columns={columns}
        rows={sortedIndexes(buckets, series, sort)}
        rowKey={(index) => buckets[index]?.start ?? ''}
        sort={sort}
        onSort={setSort}
      />
    </div>
  );
}

function sortedIndexes(buckets: ChartBucket[], series: ChartSeries[], { by, direction }: Sort): number[] {
  const values = series.find(({ id }) => id === by)?.values;
  const rank = (index: number) => (values === undefined ? index : (values[index] ?? -1));
  const sign = direction === 'ascending' ? 1 : -1;
  return buckets.map((_, index) => index).toSorted((left, right) => sign * (rank(left) - rank(right)));
}
