import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { cn } from '../../../lib/cn.ts';
import { describeLastDays } from '../../../lib/format/last-days.ts';
import { visitorTimeZone } from '../../../lib/format/time-zone.ts';
import { paths } from '../../../lib/paths.ts';
import { trpc } from '../../../lib/trpc.ts';
import { describePeriods } from '../../usage/describe-periods.ts';
import type { OperatorOverview } from '../operator-types.ts';
import { OPERATOR_PERIODS, PERIOD_DAYS, type OperatorPeriod } from '../search.ts';
import { AtRiskCard, TopAccountsCard } from './account-cards.tsx';
import { AttentionCard } from './attention-card.tsx';
import { GroupsCard } from './groups-card.tsx';
import { InstallationFigures } from './installation-figures.tsx';
import { OverviewSkeleton } from './overview-skeleton.tsx';

const REFRESH_MS = 20_000;
const LABELS: Record<OperatorPeriod, string> = { today: 'Today', '7d': '7 d', '30d': '30 d' };

const MoneyChart = lazy(async () => ({ default: (await import('./money-chart.tsx')).MoneyChart }));

/** The start page of the operators: money, requests, latency and what needs attention in the whole installation. */
export function OperatorOverviewPage() {
  const { period = '7d', by = 'provider' } = useSearch({ from: '/app/operator' });
  const navigate = useNavigate({ from: paths.operatorOverview });
  const query = useQuery(
    trpc.operator.overview.figures.queryOptions(
      { period, timeZone: visitorTimeZone() },
      { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS, staleTime: 0 },
    ),
  );
  const overview = query.data;
  return (
    <>
      <PageHeader
        title="Installation"
        action={
          <Segmented
            label="Period"
            value={period}
            options={OPERATOR_PERIODS.map((value) => ({
              value,
              label: LABELS[value],
              hint: describeLastDays(PERIOD_DAYS[value]),
            }))}
            onValueChange={(next) =>
              void navigate({
                search: (current) => ({ ...current, period: next === '7d' ? undefined : next }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        }
      >
        {overview === undefined ? 'All accounts and providers.' : describePeriods(overview)}
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3.5">
        <AttentionCard />
        {overview === undefined && query.isError && (
          <Card>
            <ErrorState
              title="The figures could not be loaded"
              error={query.error}
              isRetrying={query.isFetching}
              onRetry={() => void query.refetch()}
            />
          </Card>
        )}
        {overview === undefined && !query.isError && <OverviewSkeleton />}
        {overview !== undefined && (
          <div
            className={cn('grid grid-cols-[minmax(0,1fr)] gap-3.5', query.isPlaceholderData && 'opacity-60')}
          >
            <InstallationFigures overview={overview} />
            <MoneyCard overview={overview} period={period} />
            <GroupsCard overview={overview} by={by} period={period} />
            <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3.5 lg:grid-cols-2">
              <TopAccountsCard accounts={overview.topAccounts} period={period} />
              <AtRiskCard />
            </div>
          </div>
        )}
      </div>
      <p className="mt-4 max-w-prose text-[13px] text-ink-2">
        Revenue is usage that balances paid. Provider cost is what providers report, otherwise your rates
        without plan multipliers. It includes unbilled cost and health checks. For plans with a multiplier of
        0, only reported and unbilled cost is known.
      </p>
    </>
  );
}

function MoneyCard({ overview, period }: { overview: OperatorOverview; period: OperatorPeriod }) {
  return (
    <Card className="min-w-0">
      <section aria-labelledby="money-over-time">
        <h2 id="money-over-time" className="px-4 pt-3 font-medium">
          Revenue and provider cost
        </h2>
        <Suspense fallback={<Skeleton className="mx-4 mt-3 mb-4 h-[260px]" />}>
          <MoneyChart overview={overview} period={period} />
        </Suspense>
      </section>
    </Card>
  );
}
