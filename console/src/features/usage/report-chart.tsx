import { BarChart } from '../../components/charts/bar-chart.tsx';
import { ChartLegend } from '../../components/charts/chart-legend.tsx';
import { ChartTable } from '../../components/charts/chart-table.tsx';
import { LineChart } from '../../components/charts/line-chart.tsx';
import { useChartHeight } from '../../components/charts/use-chart-height.ts';
import { formatMsTick } from '../../components/charts/ticks.ts';
import { labelBuckets } from '../../lib/format/buckets.ts';
import type { UsageReport } from '../../lib/trpc.ts';
import { getBars, getLines, type BarMetric } from './chart-data-from-report.ts';
import type { UsageChoice } from './choice.ts';

export interface ReportChartProps {
  report: UsageReport;
  choice: UsageChoice;
  title: string;
}

/** Chart and table, loaded separately from the page because of the chart library. */
export function ReportChart({ report, choice, title }: ReportChartProps) {
  switch (choice.metric) {
    case 'latency':
    case 'first-token':
      return <Times report={report} choice={choice} title={title} of={choice.metric} />;
    case 'spend':
    case 'requests':
    case 'tokens':
      return <Amounts report={report} choice={choice} title={title} metric={choice.metric} />;
  }
}

function Amounts({ report, choice, title, metric }: ReportChartProps & { metric: BarMetric }) {
  const height = useChartHeight();
  const { series, totals, previous, formatTick } = getBars(report, metric, choice.group);
  const buckets = labelBuckets(report.current.starts, choice.step, report.timeZone);
  const comparison = choice.isCompared && choice.group !== 'tag' ? previous : undefined;
  if (choice.isTable)
    return (
      <ChartTable
        caption={title}
        buckets={buckets}
        series={series}
        totals={choice.group === 'tag' ? null : totals}
        comparison={comparison}
        isMoney={metric === 'spend'}
      />
    );
  return (
    <div className="px-4 pt-2 pb-4">
      {choice.group === 'tag' ? (
        // Groups of tags overlap, so bars on top of each other would show too much.
        <LineChart label={title} buckets={buckets} series={series} formatTick={formatTick} height={height} />
      ) : (
        <BarChart
          label={title}
          buckets={buckets}
          series={series}
          totals={totals}
          comparison={comparison}
          formatTick={formatTick}
          height={height}
        />
      )}
      <div className="mt-2">
        <ChartLegend series={series} comparison={comparison?.label ?? null} />
      </div>
    </div>
  );
}

function Times({ report, choice, title, of }: ReportChartProps & { of: 'latency' | 'first-token' }) {
  const height = useChartHeight();
  const series = getLines(report, of === 'latency' ? 'latency' : 'firstByte');
  const buckets = labelBuckets(report.current.starts, choice.step, report.timeZone);
  if (choice.isTable) return <ChartTable caption={title} buckets={buckets} series={series} totals={null} />;
  return (
    <div className="px-4 pt-2 pb-4">
      <LineChart label={title} buckets={buckets} series={series} formatTick={formatMsTick} height={height} />
      <div className="mt-2 flex flex-wrap justify-between gap-2">
        <ChartLegend series={series} comparison={null} />
        <p className="text-[12.5px] text-ink-3">
          50% of requests were faster than p50, 95% faster than p95. Values are approximate, within about a
          third.
        </p>
      </div>
    </div>
  );
}
