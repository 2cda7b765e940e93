import { useSearch } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { usageExportPath } from '../../lib/paths.ts';
import { ExportMenu } from '../../components/layouts/export-menu.tsx';
import { PageHeader } from '../../components/layouts/page-header.tsx';
import { Card } from '../../components/ui/card.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { cn } from '../../lib/cn.ts';
import { useCurrentAccount } from '../../lib/current-account.ts';
import type { UsageReport } from '../../lib/trpc.ts';
import { readChoice, type UsageChoice } from './choice.ts';
import { describePeriods } from './describe-periods.ts';
import { exportParameters } from './export-parameters.ts';
import { GroupsTable } from './groups-table.tsx';
import { MonthSpend } from './month-spend.tsx';
import { ReportCard } from './report-card.tsx';
import { UsageFilters } from './usage-filters.tsx';
import { UsageSkeleton } from './usage-skeleton.tsx';
import { UsageTotals } from './usage-totals.tsx';
import { useReport } from './use-report.ts';

/** Usage of an account. All filters are in the URL. */
export function UsagePage() {
  const account = useCurrentAccount();
  const choice = readChoice(useSearch({ from: '/app/usage' }));
  const query = useReport(account.id, choice);
  const report = query.data;
  return (
    <>
      <PageHeader
        title="Usage"
        action={
          <ExportMenu getHref={(format) => usageExportPath(format, exportParameters(account.id, choice))} />
        }
      >
        {report === undefined ? 'Usage and cost of this account.' : describePeriods(report)}
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <MonthSpend accountId={account.id} />
        <UsageFilters choice={choice} report={report} />
        {query.isPending && <UsageSkeleton />}
        {query.isError && report === undefined && (
          <Card>
            <ErrorState
              title="Usage could not be loaded"
              error={query.error}
              isRetrying={query.isFetching}
              onRetry={() => void query.refetch()}
            />
          </Card>
        )}
        {report !== undefined && (
          <Shown accountId={account.id} report={report} choice={choice} isStale={query.isPlaceholderData} />
        )}
      </div>
    </>
  );
}

interface ShownProps {
  accountId: string;
  report: UsageReport;
  choice: UsageChoice;
  /** True while the previous report is shown. */
  isStale: boolean;
}

function Shown({ accountId, report, choice, isStale }: ShownProps) {
  if (report.totals.requests === 0 && !isStale) {
    return (
      <Card>
        <EmptyState icon={ChartColumn} title="No usage in this period">
          {report.previousTotals.requests === 0
            ? 'Requests with keys of this account appear here when they end.'
            : 'There was usage before this period. Choose a longer period to see it.'}
        </EmptyState>
      </Card>
    );
  }
  return (
    <div className={cn('grid grid-cols-[minmax(0,1fr)] gap-4', isStale && 'opacity-60')}>
      <UsageTotals report={report} />
      <ReportCard report={report} choice={choice} />
      {choice.group !== 'status' && (
        <GroupsTable accountId={accountId} report={report} choice={choice} grouping={choice.group} />
      )}
    </div>
  );
}
