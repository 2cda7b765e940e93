import { Link } from '@tanstack/react-router';
import { paths } from '../../../lib/paths.ts';
import { Card } from '../../../components/ui/card.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { describeLastDays } from '../../../lib/format/last-days.ts';
import { readChoice } from '../../usage/choice.ts';
import { ReportChartLater } from '../../usage/report-chart-later.tsx';
import { useReport } from '../../usage/use-report.ts';
import { KEY_METRICS, KEY_PERIODS } from './search.ts';
import { usePageSearch } from './use-page-search.ts';

const PERIODS = { '7d': '7 d', '30d': '30 d', '90d': '90 d' } as const;
const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;
const METRICS = { spend: 'Spend', requests: 'Requests', tokens: 'Tokens' } as const;

/** Usage of the key by model, as a chart or a table. */
export function KeyUsage({ accountId, keyId }: { accountId: string; keyId: string }) {
  const [{ period = '30d', metric = 'spend', view }, setSearch] = usePageSearch();
  const choice = readChoice({ period, metric, view, key: keyId });
  const report = useReport(accountId, choice);
  const title = `${METRICS[metric]} by model`;
  return (
    <Card className="@container min-w-0">
      <section aria-labelledby="key-usage">
        <div className="flex flex-wrap items-center gap-2 px-4 pt-3 pb-1">
          <h2 id="key-usage" className="mr-auto font-medium">
            {title}
          </h2>
          <Segmented
            label="Metric"
            value={metric}
            onValueChange={(next) => setSearch({ metric: next === 'spend' ? undefined : next })}
            options={KEY_METRICS.map((value) => ({ value, label: METRICS[value] }))}
          />
          <Segmented
            label="Period"
            value={period}
            onValueChange={(next) => setSearch({ period: next === '30d' ? undefined : next })}
            options={KEY_PERIODS.map((value) => ({
              value,
              label: PERIODS[value],
              hint: describeLastDays(DAYS[value]),
            }))}
          />
          <Segmented<'chart' | 'table'>
            label="Show as"
            value={view ?? 'chart'}
            onValueChange={(next) => setSearch({ view: next === 'table' ? next : undefined })}
            options={[
              { value: 'chart', label: 'Chart' },
              { value: 'table', label: 'Table' },
            ]}
          />
        </div>
        {report.isError && report.data === undefined && (
          <ErrorState
            title="The usage could not be loaded"
            error={report.error}
            isRetrying={report.isFetching}
            onRetry={() => void report.refetch()}
          />
        )}
        {report.isPending && <Skeleton className="mx-4 mt-3 mb-4 h-[300px]" />}
        {report.data !== undefined &&
          (report.data.totals.requests === 0 ? (
            <p className="grid h-40 place-items-center px-4 text-[13px] text-ink-3">
              Not used in the last {DAYS[period]} days.
            </p>
          ) : (
            <ReportChartLater report={report.data} choice={choice} title={title} />
          ))}
        <p className="px-4 pb-3 text-[13px]">
          <Link to={paths.usage} search={{ key: keyId, period }} className={TEXT_LINK}>
            Compare and export in Usage
          </Link>
        </p>
      </section>
    </Card>
  );
}
