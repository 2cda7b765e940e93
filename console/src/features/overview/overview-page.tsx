import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { PageHeader } from '../../components/layouts/page-header.tsx';
import { Card } from '../../components/ui/card.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { Segmented } from '../../components/ui/segmented.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { cn } from '../../lib/cn.ts';
import { useCurrentAccount } from '../../lib/current-account.ts';
import { describeLastDays } from '../../lib/format/last-days.ts';
import { useIsViewing, useSession } from '../../lib/session.ts';
import { trpc, type UsageReport } from '../../lib/trpc.ts';
import { describePeriods } from '../usage/describe-periods.ts';
import { readChoice } from '../usage/choice.ts';
import { useReport } from '../usage/use-report.ts';
import { FirstSteps } from './first-steps.tsx';
import { KeysCard } from './keys-card.tsx';
import { ModelsCard } from './models-card.tsx';
import { OverviewFigures } from './overview-figures.tsx';
import { OverviewSkeleton } from './overview-skeleton.tsx';
import { OVERVIEW_DAYS, OVERVIEW_RANGES, type OverviewMetric, type OverviewRange } from './search.ts';

/** Asked once: most visits of this page do without its form. */
const NameAccount = lazy(async () => ({ default: (await import('./name-account.tsx')).NameAccount }));
/** Below the figures, which do not wait for it. */
const RecentRequests = lazy(async () => ({
  default: (await import('./recent-requests.tsx')).RecentRequests,
}));

const RANGE_LABELS: Record<OverviewRange, string> = { today: 'Today', '7d': '7 d', '30d': '30 d' };
const WAITING_MS = 3_000;

/** Balance, spend and performance of the account. */
export function OverviewPage() {
  const account = useCurrentAccount();
  const { period: range = '7d', metric = 'spend' } = useSearch({ from: '/app/overview' });
  const report = useReport(account.id, readChoice({ period: range, metric }), ['latency', 'firstByte']);
  const steps = useFirstSteps(account.id);
  const setup = useSetupSteps();
  const failed = [report, steps].find((query) => query.isError && query.data === undefined);
  return (
    <>
      <PageHeader title="Overview" action={<RangeSwitch range={range} />}>
        {report.data === undefined
          ? 'Balance, spend and performance of this account.'
          : describePeriods(report.data)}
      </PageHeader>
      {account.role === 'owner' && !account.isNamed && (
        <Suspense fallback={<Skeleton className="mb-3.5 h-[154px] rounded-xl" />}>
          <NameAccount key={account.id} account={account} />
        </Suspense>
      )}
      {failed !== undefined && (
        <Card>
          <ErrorState
            title="The overview could not be loaded"
            error={failed.error}
            isRetrying={report.isFetching || steps.isFetching}
            onRetry={() => void Promise.all([report.refetch(), steps.refetch()])}
          />
        </Card>
      )}
      {failed === undefined && (report.data === undefined || steps.data === undefined) && (
        <OverviewSkeleton />
      )}
      {report.data !== undefined && steps.data !== undefined && (
        <div
          className={cn('grid grid-cols-[minmax(0,1fr)] gap-3.5', report.isPlaceholderData && 'opacity-60')}
        >
          {(!steps.data.hasSucceeded || setup?.hasModel === false) && (
            <FirstSteps accountId={account.id} steps={steps.data} setup={setup} />
          )}
          {(steps.data.hasSucceeded || report.data.totals.requests > 0) && (
            <Shown report={report.data} accountId={account.id} range={range} metric={metric} />
          )}
        </div>
      )}
    </>
  );
}

/** Onboarding progress, refetched until the first successful request. */
function useFirstSteps(accountId: string) {
  return useQuery(
    trpc.usage.firstSteps.queryOptions(
      { accountId },
      {
        staleTime: 0,
        refetchInterval: ({ state }) => (state.data?.hasSucceeded === true ? false : WAITING_MS),
      },
    ),
  );
}

/** What an operator still has to set up; null for other people. */
function useSetupSteps() {
  const { user } = useSession();
  const isViewing = useIsViewing();
  const isOperator = user?.isOperator === true && user.emailVerified && !isViewing;
  const setup = useQuery(
    trpc.operator.system.setupSteps.queryOptions(undefined, { enabled: isOperator, staleTime: 0 }),
  );
  return isOperator ? (setup.data ?? null) : null;
}

function RangeSwitch({ range }: { range: OverviewRange }) {
  const navigate = useNavigate({ from: '/overview' });
  return (
    <Segmented
      label="Period"
      value={range}
      onValueChange={(next) =>
        void navigate({
          search: (current) => ({ ...current, period: next === '7d' ? undefined : next }),
          replace: true,
          resetScroll: false,
        })
      }
      options={OVERVIEW_RANGES.map((value) => ({
        value,
        label: RANGE_LABELS[value],
        hint: describeLastDays(OVERVIEW_DAYS[value]),
      }))}
    />
  );
}

interface ShownProps {
  report: UsageReport;
  accountId: string;
  range: OverviewRange;
  metric: OverviewMetric;
}

function Shown({ report, accountId, range, metric }: ShownProps) {
  return (
    <>
      <OverviewFigures report={report} accountId={accountId} range={range} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3.5 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <ModelsCard report={report} range={range} metric={metric} />
        <KeysCard accountId={accountId} report={report} range={range} />
      </div>
      <Suspense fallback={null}>
        <RecentRequests accountId={accountId} />
      </Suspense>
    </>
  );
}
