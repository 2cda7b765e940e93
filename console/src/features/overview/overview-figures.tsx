import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import { paths } from '../../lib/paths.ts';
import { RoundedBalance } from '../../components/ui/rounded-cost.tsx';
import { Stat, StatGrid } from '../../components/ui/stat.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { formatCount } from '../../lib/format/count.ts';
import { trpc, type Billing, type UsageReport } from '../../lib/trpc.ts';
import { useNow } from '../../lib/use-now.ts';
import { formatDurationPair } from '../../lib/format/duration.ts';
import { CountChange } from '../usage/change-note.tsx';
import { describeRate } from '../usage/error-rate.ts';
import { Quantiles } from '../usage/quantiles.tsx';
import { describeSpan, lastsForMs } from './pace.ts';
import type { OverviewRange } from './search.ts';
import { SpendFigures } from './spend-figures.tsx';

// The first page does not wait for it.
const MonthSpend = lazy(async () => ({ default: (await import('../usage/month-spend.tsx')).MonthSpend }));

const REFRESH_MS = 15_000;
const CLOCK_MS = 60_000;
/** Ranges of the request log that match the page's periods. */
const LOG_RANGES = { today: '24h', '7d': '7d', '30d': '30d' } as const;

interface OverviewFiguresProps {
  report: UsageReport;
  accountId: string;
  range: OverviewRange;
}

export function OverviewFigures({ report, accountId, range }: OverviewFiguresProps) {
  const { totals, previousTotals, times } = report;
  return (
    <>
      <StatGrid>
        <BalanceFigure report={report} accountId={accountId} />
        <SpendFigures accountId={accountId} />
      </StatGrid>
      <Suspense>
        <MonthSpend accountId={accountId} />
      </Suspense>
      <StatGrid>
        <Stat label="Requests" note={<CountChange now={totals.requests} before={previousTotals.requests} />}>
          {formatCount(totals.requests)}
        </Stat>
        <Stat
          label="Error rate"
          note={
            totals.errors > 0 && (
              <Link
                to={paths.requests}
                search={{ status: 'failed', range: LOG_RANGES[range] }}
                className="rounded-sm underline decoration-line-strong underline-offset-3 hover:decoration-current"
              >
                {totals.errors === 1
                  ? 'View 1 failed request'
                  : `View ${formatCount(totals.errors)} failed requests`}
              </Link>
            )
          }
        >
          {describeRate(totals)}
        </Stat>
        <Stat label="Time to first token (p50 / p95)" note={<QuantilesBefore times={times.firstByte} />}>
          <Quantiles times={times.firstByte} />
        </Stat>
        <Stat label="Total latency (p50 / p95)" note={<QuantilesBefore times={times.latency} />}>
          <Quantiles times={times.latency} />
        </Stat>
      </StatGrid>
    </>
  );
}

function BalanceFigure({ report, accountId }: { report: UsageReport; accountId: string }) {
  const { data } = useQuery(
    trpc.billing.get.queryOptions({ accountId }, { refetchInterval: REFRESH_MS, staleTime: 0 }),
  );
  const nowMs = useNow(CLOCK_MS);
  return (
    <Stat label="Balance" note={data !== undefined && noteOnBalance(data, report, nowMs)}>
      {data === undefined ? (
        <Skeleton className="h-6 w-24" />
      ) : (
        <RoundedBalance nanoUsd={data.availableNanoUsd} />
      )}
    </Stat>
  );
}

function noteOnBalance(billing: Billing, report: UsageReport, nowMs: number): ReactNode {
  if (!billing.plan.isPrepaid) return 'your plan charges nothing';
  const elapsedMs = nowMs - Date.parse(report.current.from);
  const lasts = lastsForMs(BigInt(billing.availableNanoUsd), BigInt(report.totals.costNanoUsd), elapsedMs);
  if (lasts !== null) return `Lasts about ${describeSpan(lasts)} at this rate`;
  return (
    <Link
      to={paths.billing}
      className="rounded-sm underline decoration-line-strong underline-offset-3 hover:decoration-current"
    >
      View activity
    </Link>
  );
}

type Times = UsageReport['times']['latency'];

function QuantilesBefore({ times }: { times: Times }) {
  const before = times?.previous;
  if (before === undefined || before.p50Ms === null || before.p95Ms === null) return null;
  return <>from {formatDurationPair(before.p50Ms, before.p95Ms).join(' / ')}</>;
}
