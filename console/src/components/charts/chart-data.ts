import type { scaleBand, scaleLinear } from '@visx/scale';

/** A step on the axis of time. */
export interface ChartBucket {
  /** When it begins, in ISO 8601. */
  start: string;
  /** On the axis: `Sat 14`. */
  label: string;
  /** Wherever there is room: `Saturday 14 November`. */
  title: string;
}

/** One value for each bucket. */
export interface ChartSeries {
  id: string;
  label: string;
  /** As CSS takes it. */
  color: string;
  /** What is drawn; null: nothing is known. */
  values: (number | null)[];
  /** The exact text of a rounded number. */
  texts: string[];
}

const PALETTE = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-4)', 'var(--chart-5)'];
export const OTHERS_COLOR = 'var(--chart-6)';

/** The colour of the series at a place; behind the last one they are all others. */
export function colorAt(index: number): string {
  return PALETTE[index] ?? OTHERS_COLOR;
}

export interface ChartScales {
  x: ReturnType<typeof scaleBand<number>>;
  y: ReturnType<typeof scaleLinear<number>>;
}
