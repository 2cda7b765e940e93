import type { ChartBucket, ChartScales } from './chart-data.ts';

/** Room for a label below the axis. */
const LABEL_PX = 62;

interface ChartAxesProps extends ChartScales {
  buckets: ChartBucket[];
  labels: { tick: number; text: string }[];
  bottom: number;
}

export function ChartAxes({ buckets, labels, x, y, bottom }: ChartAxesProps) {
  const [left, right] = x.range();
  const every = Math.max(1, Math.ceil(LABEL_PX / Math.max(1, x.step())));
  return (
    <g className="fill-ink-3 text-[11px]">
      {labels.map(({ tick, text }) => (
        <g key={tick}>
          <line x1={left} x2={right} y1={y(tick)} y2={y(tick)} className="stroke-line" />
          <text x={left - 8} y={y(tick) + 4} textAnchor="end">
            {text}
          </text>
        </g>
      ))}
      {buckets.map(({ start, label }, index) =>
        // Counted from the end, so that the newest bucket always has its label.
        (buckets.length - 1 - index) % every === 0 ? (
          <text key={start} x={(x(index) ?? 0) + x.bandwidth() / 2} y={bottom + 18} textAnchor="middle">
            {label}
          </text>
        ) : null,
      )}
    </g>
  );
}
