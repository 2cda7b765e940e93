import { scaleBand, scaleLinear } from '@visx/scale';
import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { ChartAxes } from './chart-axes.tsx';
import type { ChartBucket, ChartScales } from './chart-data.ts';
import { ChartTooltip, type TooltipData } from './chart-tooltip.tsx';
import { useElementWidth } from './use-element-width.ts';

const MARGIN = { top: 10, right: 4, bottom: 26 };
/** Of a digit on the axis. */
const DIGIT_PX = 6.6;
const TICKS = 4;

interface ChartFrameProps {
  /** What the chart shows: its accessible name. */
  label: string;
  buckets: ChartBucket[];
  /** The largest value drawn. */
  max: number;
  height: number;
  formatTick: (value: number, step: number) => string;
  /** A bucket in words. */
  describe: (index: number) => string;
  tooltip: TooltipData;
  children: (scales: ChartScales) => ReactNode;
}

/**
 * The axes of a chart over time, and the way to read it bucket by bucket: by pointing at it, or with the arrow keys,
 * as a slider along its buckets that says what each one holds.
 */
export function ChartFrame({
  label,
  buckets,
  height,
  describe,
  tooltip,
  children,
  ...axes
}: ChartFrameProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useElementWidth(box);
  const bottom = height - MARGIN.bottom;
  const last = buckets.length - 1;
  const { x, y, labels } = getScales({ ...axes, count: buckets.length, width, bottom });
  const { active, handlers } = useActiveBucket(last, x.range());
  return (
    <div
      ref={box}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input holds no drawing
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={active ?? last}
      aria-valuetext={describe(active ?? last)}
      {...handlers}
      style={{ height }}
      className="relative w-full touch-pan-y rounded-md select-none"
    >
      {width > 0 && (
        <svg aria-hidden width={width} height={height} className="absolute inset-0 block overflow-visible">
          <ChartAxes buckets={buckets} labels={labels} x={x} y={y} bottom={bottom} />
          {active !== null && <ActiveBand x={x} index={active} bottom={bottom} />}
          {children({ x, y })}
        </svg>
      )}
      {width > 0 && active !== null && (
        <TooltipAt at={(x(active) ?? 0) + x.bandwidth() / 2} width={width}>
          <ChartTooltip title={buckets[active]?.title ?? ''} index={active} {...tooltip} />
        </TooltipAt>
      )}
    </div>
  );
}

interface ScaleInput extends Pick<ChartFrameProps, 'max' | 'formatTick'> {
  count: number;
  width: number;
  /** Where the axis of time lies. */
  bottom: number;
}

function getScales({ max, formatTick, count, width, bottom }: ScaleInput) {
  const y = scaleLinear<number>({ domain: [0, max > 0 ? max : 1], range: [bottom, MARGIN.top] });
  y.nice(TICKS);
  const ticks = max > 0 ? y.ticks(TICKS) : [0];
  const labels = ticks.map((tick) => ({ tick, text: formatTick(tick, ticks[1] ?? 1) }));
  const left = Math.ceil(Math.max(...labels.map(({ text }) => text.length)) * DIGIT_PX) + 10;
  const x = scaleBand<number>({
    domain: Array.from({ length: count }, (_, index) => index),
    range: [left, Math.max(left, width - MARGIN.right)],
    paddingInner: 0.28,
    paddingOuter: 0.14,
  });
  return { x, y, labels };
}

/** Which bucket is pointed at or walked to; null: none. */
function useActiveBucket(last: number, [left, right]: [number, number]) {
  const [chosen, setChosen] = useState<number | null>(null);
  const active = chosen === null ? null : Math.min(chosen, last);
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const across = event.clientX - event.currentTarget.getBoundingClientRect().left - left;
    const share = across / Math.max(1, right - left);
    setChosen(share < 0 ? null : Math.min(last, Math.floor(share * (last + 1))));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextIndex(event.key, active ?? last, last);
    if (next === undefined) return;
    event.preventDefault();
    setChosen(next);
  };
  const leave = () => setChosen(null);
  const handlers = {
    onKeyDown,
    onBlur: leave,
    onPointerMove: point,
    onPointerDown: point,
    onPointerLeave: leave,
  };
  return { active, handlers };
}

/** @returns null: leave the chart; undefined: the chart does not handle the key */
function nextIndex(key: string, at: number, last: number): number | null | undefined {
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(last, at + 1);
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, at - 1);
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key === 'Escape') return null;
  return undefined;
}

function ActiveBand({ x, index, bottom }: { x: ChartScales['x']; index: number; bottom: number }) {
  const step = x.step();
  const start = (x(index) ?? 0) - (step - x.bandwidth()) / 2;
  return (
    <rect x={start} y={MARGIN.top} width={step} height={bottom - MARGIN.top} className="fill-sunken" rx={3} />
  );
}

/** Tooltip of a bucket, on the side with enough space. */
function TooltipAt({ at, width, children }: { at: number; width: number; children: ReactNode }) {
  const isLeft = at > width / 2;
  return (
    <div
      aria-hidden
      style={isLeft ? { right: width - at + 14 } : { left: at + 14 }}
      className="pointer-events-none absolute top-2 z-10 min-w-40 rounded-lg border bg-raised px-3 py-2 text-[12.5px]/[18px] shadow-pop"
    >
      {children}
    </div>
  );
}
