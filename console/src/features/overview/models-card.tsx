import { Link, useNavigate } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { paths } from '../../lib/paths.ts';
import { Card } from '../../components/ui/card.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Segmented } from '../../components/ui/segmented.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import type { UsageReport } from '../../lib/trpc.ts';
import { readChoice } from '../usage/choice.ts';
import { ReportChartLater } from '../usage/report-chart-later.tsx';
import { OVERVIEW_METRICS, type OverviewMetric, type OverviewRange } from './search.ts';

const METRIC_LABELS: Record<OverviewMetric, string> = {
  spend: 'Spend',
  tokens: 'Tokens',
  requests: 'Requests',
};

interface ModelsCardProps {
  report: UsageReport;
  range: OverviewRange;
  metric: OverviewMetric;
}

/** Usage by model over time. */
export function ModelsCard({ report, range, metric }: ModelsCardProps) {
  const navigate = useNavigate({ from: '/overview' });
  const title = `${METRIC_LABELS[metric]} by model`;
  return (
    <Card className="@container min-w-0">
      <section aria-label={title}>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 pt-3 pb-1">
          <h2 className="font-medium">{title}</h2>
          <Link
            to={paths.usage}
            search={{ period: range, metric: metric === 'spend' ? undefined : metric }}
            className={`${TEXT_LINK} mr-auto text-[13px]`}
          >
            View usage
          </Link>
          <Segmented
            label="Measure"
            value={metric}
            onValueChange={(next) =>
              void navigate({
                search: (current) => ({ ...current, metric: next === 'spend' ? undefined : next }),
                replace: true,
                resetScroll: false,
              })
            }
            options={OVERVIEW_METRICS.map((value) => ({ value, label: METRIC_LABELS[value] }))}
          />
        </div>
        {report.totals.requests === 0 ? (
          <EmptyState icon={ChartColumn} title="No requests in this period">
            Requests appear here when they end.
          </EmptyState>
        ) : (
          <ReportChartLater report={report} choice={readChoice({ period: range, metric })} title={title} />
        )}
      </section>
    </Card>
  );
}
