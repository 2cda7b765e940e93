import { LinePath } from '@visx/shape';
import type { ChartBucket, ChartSeries, ChartScales } from './chart-data.ts';
import { ChartFrame } from './chart-frame.tsx';

interface LineChartProps {
  label: string;
  buckets: ChartBucket[];
  series: ChartSeries[];
  formatTick: (value: number, step: number) => string;
  height?: number;
}

/** Lines over time, with gaps for unknown values. */
export function LineChart({ label, buckets, series, formatTick, height = 260 }: LineChartProps) {
  const all = series.flatMap(({ values }) => values.map((value) => value ?? 0));
  const describe = (index: number) =>
    [
      `${buckets[index]?.title ?? ''}:`,
      series.map((one) => `${one.label} ${one.texts[index] ?? 'unknown'}`).join(', '),
    ].join(' ');
  return (
    <ChartFrame
      label={label}
      buckets={buckets}
      max={Math.max(0, ...all)}
      height={height}
      formatTick={formatTick}
      describe={describe}
      tooltip={{ series, totals: null, comparison: null }}
    >
      {(scales) => series.map((one) => <Line key={one.id} series={one} scales={scales} />)}
    </ChartFrame>
  );
}

function Line({ series, scales: { x, y } }: { series: ChartSeries; scales: ChartScales }) {
  const atX = (index: number) => (x(index) ?? 0) + x.bandwidth() / 2;
  return (
    <g style={{ stroke: series.color }}>
      <LinePath
        data={series.values}
        defined={(value) => value !== null}
        x={(_, index) => atX(index)}
        y={(value) => y(value ?? 0)}
        strokeWidth={2}
        strokeLinejoin="round"
        className="fill-transparent"
      />
      {series.values.map((value, index) =>
        // A value between two that are not known has no line to show it.
        value !== null &&
        (series.values[index - 1] ?? null) === null &&
        (series.values[index + 1] ?? null) === null ? (
          <circle key={index} cx={atX(index)} cy={y(value)} r={2.5} style={{ fill: series.color }} />
        ) : null,
      )}
    </g>
  );
}
