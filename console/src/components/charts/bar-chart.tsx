import { BarStack, LinePath } from '@visx/shape';
import type { ChartBucket, ChartSeries, ChartScales } from './chart-data.ts';
import { ChartFrame } from './chart-frame.tsx';

/** Between the parts of a bar. */
const GAP_PX = 1;
const MAX_BAR_PX = 56;

interface BarChartProps {
  label: string;
  buckets: ChartBucket[];
  /** From the bottom up. */
  series: ChartSeries[];
  /** Totals of all series, as text. */
  totals: string[];
  /** Drawn as a dashed line. */
  comparison?: ChartSeries | undefined;
  formatTick: (value: number, step: number) => string;
  height?: number;
}

/** Bars over time, each made of its series. */
export function BarChart(props: BarChartProps) {
  const { label, buckets, series, totals, comparison, formatTick, height = 260 } = props;
  const sums = buckets.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const compared = comparison?.values.slice(0, buckets.length).map((value) => value ?? 0) ?? [];
  return (
    <ChartFrame
      label={label}
      buckets={buckets}
      max={Math.max(0, ...sums, ...compared)}
      height={height}
      formatTick={formatTick}
      describe={(index) => inWords({ bucket: buckets[index], series, total: totals[index], index })}
      tooltip={{ series, totals, comparison: comparison ?? null }}
    >
      {(scales) => (
        <>
          <Bars count={buckets.length} series={series} scales={scales} />
          {comparison !== undefined && <Dashes values={compared} scales={scales} />}
        </>
      )}
    </ChartFrame>
  );
}

interface BarsProps {
  count: number;
  series: ChartSeries[];
  scales: ChartScales;
}

function Bars({ count, series, scales: { x, y } }: BarsProps) {
  const byId = new Map(series.map((one) => [one.id, one]));
  const width = Math.min(MAX_BAR_PX, x.bandwidth());
  return (
    <BarStack
      data={Array.from({ length: count }, (_, index) => index)}
      keys={series.map(({ id }) => id)}
      value={(index, id) => byId.get(id)?.values[index] ?? 0}
      x={(index) => index}
      xScale={x}
      yScale={y}
      color={(id) => byId.get(id)?.color ?? ''}
    >
      {(stacks) =>
        stacks.flatMap(({ key, bars }) =>
          bars
            .filter(({ height }) => height > 0)
            .map((bar) => (
              <rect
                key={`${key} ${bar.index}`}
                x={bar.x + (bar.width - width) / 2}
                y={bar.y}
                width={width}
                height={Math.max(1, bar.height - GAP_PX)}
                rx={Math.min(2, width / 4)}
                style={{ fill: bar.color }}
              />
            )),
        )
      }
    </BarStack>
  );
}

function Dashes({ values, scales: { x, y } }: { values: number[]; scales: ChartScales }) {
  return (
    <LinePath
      data={values}
      x={(_, index) => (x(index) ?? 0) + x.bandwidth() / 2}
      y={(value) => y(value)}
      strokeWidth={1.5}
      strokeDasharray="4 4"
      className="fill-transparent stroke-ink-3"
    />
  );
}

interface InWords {
  bucket: ChartBucket | undefined;
  series: ChartSeries[];
  total: string | undefined;
  index: number;
}

function inWords({ bucket, series, total, index }: InWords): string {
  const parts = series
    .filter(({ values }) => (values[index] ?? 0) > 0)
    .map(({ label, texts }) => `${label} ${texts[index] ?? ''}`);
  return [`${bucket?.title ?? ''}: ${total ?? 'none'}`, ...parts].join(', ');
}
