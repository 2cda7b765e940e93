import { colorAt, type ChartSeries } from '../../../components/charts/chart-data.ts';
import { ChartLegend } from '../../../components/charts/chart-legend.tsx';
import { LineChart } from '../../../components/charts/line-chart.tsx';
import { formatUsdTick } from '../../../components/charts/ticks.ts';
import { labelBuckets } from '../../../lib/format/buckets.ts';
import { formatCostRounded } from '../../../lib/format/money.ts';
import type { OperatorOverview } from '../operator-types.ts';
import type { OperatorPeriod } from '../search.ts';

const NANOS_PER_USD = 1e9;

export interface MoneyChartProps {
  overview: OperatorOverview;
  period: OperatorPeriod;
}

/** Revenue and provider cost over time, loaded separately from the page because of the chart library. */
export function MoneyChart({ overview, period }: MoneyChartProps) {
  const { current, timeZone, points } = overview;
  const toSeries = (
    id: 'revenueNanoUsd' | 'providerCostNanoUsd',
    label: string,
    color: string,
  ): ChartSeries => ({
    id,
    label,
    color,
    // Lines may be rounded; text is exact.
    values: points.map((point) => Number(point[id]) / NANOS_PER_USD),
    texts: points.map((point) => formatCostRounded(point[id])),
  });
  const series = [
    toSeries('revenueNanoUsd', 'Revenue', colorAt(0)),
    toSeries('providerCostNanoUsd', 'Provider cost', colorAt(1)),
  ];
  return (
    <div className="px-4 pt-2 pb-4">
      <LineChart
        label="Revenue and provider cost"
        buckets={labelBuckets(current.starts, period === 'today' ? 'hour' : 'day', timeZone)}
        series={series}
        formatTick={formatUsdTick}
        height={220}
      />
      <div className="mt-2">
        <ChartLegend series={series} comparison={null} />
      </div>
    </div>
  );
}
