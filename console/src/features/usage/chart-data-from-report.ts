import { colorAt, OTHERS_COLOR, type ChartSeries } from '../../components/charts/chart-data.ts';
import { formatCountTick, formatUsdTick } from '../../components/charts/ticks.ts';
import { formatCount } from '../../lib/format/count.ts';
import { formatCost } from '../../lib/format/money.ts';
import type { UsageReport } from '../../lib/trpc.ts';
import { formatDuration } from '../../lib/format/duration.ts';
import { nameGroup } from './group-name.ts';
import type { Grouping } from './search.ts';

/** Metrics shown as bars; times are shown as lines. */
export type BarMetric = 'spend' | 'requests' | 'tokens';

export interface BarChartData {
  series: ChartSeries[];
  /** Totals of all series, as text. */
  totals: string[];
  /** Previous period per bucket. */
  previous: ChartSeries;
  formatTick: (value: number, step: number) => string;
}

type Points = UsageReport['previous']['points'];

/** How to add, draw and format a metric. */
interface Amount {
  add: (left: bigint, right: bigint) => bigint;
  of: (points: Points, index: number) => bigint;
  draw: (amount: bigint) => number;
  write: (amount: bigint) => string;
  formatTick: BarChartData['formatTick'];
}

const NANOS_PER_USD = 1e9;
const add = (left: bigint, right: bigint) => left + right;
const counted = (of: (points: Points, index: number) => number): Amount => ({
  add,
  of: (points, index) => BigInt(of(points, index)),
  draw: Number,
  write: (amount) => formatCount(Number(amount)),
  formatTick: formatCountTick,
});

const AMOUNTS: Record<BarMetric, Amount> = {
  spend: {
    add,
    of: ({ costNanoUsd }, index) => BigInt(costNanoUsd[index] ?? '0'),
    // Bars may be rounded; text is exact.
    draw: (amount) => Number(amount) / NANOS_PER_USD,
    write: (amount) => formatCost(amount.toString()),
    formatTick: formatUsdTick,
  },
  requests: counted(({ requests }, index) => requests[index] ?? 0),
  tokens: counted(
    ({ inputTokens, outputTokens }, index) => (inputTokens[index] ?? 0) + (outputTokens[index] ?? 0),
  ),
};

/** The bars of a report. */
export function getBars(report: UsageReport, metric: BarMetric, grouping: Grouping): BarChartData {
  const amount = AMOUNTS[metric];
  const { starts } = report.current;
  const toSeries = (
    points: Points,
    name: Pick<ChartSeries, 'id' | 'label' | 'color'>,
    count: number,
  ): ChartSeries => {
    const amounts = Array.from({ length: count }, (_, index) => amount.of(points, index));
    return { ...name, values: amounts.map(amount.draw), texts: amounts.map(amount.write) };
  };
  const sums = starts.map((_, index) =>
    report.series.map(({ points }) => amount.of(points, index)).reduce(amount.add, 0n),
  );
  return {
    series: report.series.map(({ id, points }, index) =>
      toSeries(
        points,
        {
          id: id === null ? 'others' : `group ${id}`,
          label: nameGroup(report, grouping, id),
          color: getColor(grouping, id, index),
        },
        starts.length,
      ),
    ),
    totals: sums.map(amount.write),
    previous: toSeries(
      report.previous.points,
      { id: 'previous', label: 'Previous period', color: OTHERS_COLOR },
      report.previous.starts.length,
    ),
    formatTick: amount.formatTick,
  };
}

/** p50 and p95 of request times per bucket. */
export function getLines(report: UsageReport, of: 'latency' | 'firstByte'): ChartSeries[] {
  const points = report.times[of]?.points ?? [];
  const toSeries = (label: string, color: string, quantile: 'p50Ms' | 'p95Ms'): ChartSeries => {
    const values = points.map((point) => point[quantile]);
    return {
      id: quantile,
      label,
      color,
      values,
      texts: values.map((value) => (value === null ? 'no requests' : formatDuration(value))),
    };
  };
  return [toSeries('p50', colorAt(0), 'p50Ms'), toSeries('p95', colorAt(1), 'p95Ms')];
}

function getColor(grouping: Grouping, id: string | null, index: number): string {
  if (id === null) return OTHERS_COLOR;
  if (grouping === 'status' && id !== 'succeeded') return id === 'failed' ? 'var(--danger)' : OTHERS_COLOR;
  return colorAt(index);
}
