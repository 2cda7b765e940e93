import { cn } from '../../lib/cn.ts';
import type { ChartSeries } from './chart-data.ts';

export interface TooltipData {
  /** Those with nothing in the bucket are left out. */
  series: ChartSeries[];
  /** All series together; null: they cannot be added. */
  totals: string[] | null;
  /** The period before. */
  comparison: ChartSeries | null;
}

export function ChartTooltip(props: TooltipData & { title: string; index: number }) {
  const { title, index, series, totals, comparison } = props;
  // As they are stacked: the last one on top.
  const present = series.filter(({ values }) => (values[index] ?? 0) > 0).toReversed();
  return (
    <>
      <p className="font-medium whitespace-nowrap">{title}</p>
      <dl className="mt-1">
        {present.map(({ id, label, color, texts }) => (
          <Line key={id} label={label} text={texts[index] ?? ''} color={color} />
        ))}
        {totals !== null && (present.length !== 1 || comparison !== null) && (
          <Line label="Total" text={totals[index] ?? ''} isStrong />
        )}
        {comparison !== null && (
          <Line label={comparison.label} text={comparison.texts[index] ?? 'none'} isFaint />
        )}
      </dl>
    </>
  );
}

interface LineProps {
  label: string;
  text: string;
  color?: string;
  isStrong?: boolean;
  isFaint?: boolean;
}

function Line({ label, text, color, isStrong, isFaint }: LineProps) {
  return (
    <div className={cn('flex items-center gap-2', isStrong && 'font-medium', isFaint && 'text-ink-3')}>
      <dt className="flex min-w-0 flex-1 items-center gap-2">
        <Swatch color={color} />
        <span className="max-w-40 truncate">{label}</span>
      </dt>
      <dd className="pl-2 text-right font-mono text-[12px] whitespace-nowrap">{text}</dd>
    </div>
  );
}

function Swatch({ color }: { color: string | undefined }) {
  return <span className="size-2 shrink-0 rounded-[2px]" style={{ background: color ?? 'transparent' }} />;
}
