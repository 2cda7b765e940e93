import type { ChartSeries } from './chart-data.ts';

interface ChartLegendProps {
  series: Pick<ChartSeries, 'id' | 'label' | 'color'>[];
  /** Name of the dashed line; null: no dashed line. */
  comparison: string | null;
}

export function ChartLegend({ series, comparison }: ChartLegendProps) {
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1 text-[12.5px] text-ink-2">
      {series.map(({ id, label, color }) => (
        <li key={id} className="flex min-w-0 items-center gap-1.5">
          <span aria-hidden className="size-2.5 shrink-0 rounded-[3px]" style={{ background: color }} />
          <span className="truncate">{label}</span>
        </li>
      ))}
      {comparison !== null && (
        <li className="flex items-center gap-1.5">
          <span aria-hidden className="w-4 shrink-0 border-t-2 border-dashed border-ink-3" />
          {comparison}
        </li>
      )}
    </ul>
  );
}
