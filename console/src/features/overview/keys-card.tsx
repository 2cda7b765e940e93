import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import { Card } from '../../components/ui/card.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { RoundedCost } from '../../components/ui/rounded-cost.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { spentPercent } from '../../lib/format/money.ts';
import { visitorTimeZone } from '../../lib/format/time-zone.ts';
import { trpc, type KeySpend, type UsageReport } from '../../lib/trpc.ts';
import { useNow } from '../../lib/use-now.ts';
import { getSpan } from '../usage/choice.ts';
import { ShareBar } from '../usage/share-bar.tsx';
import { describeSpan, lastsForMs } from './pace.ts';
import type { OverviewRange } from './search.ts';

const REFRESH_MS = 20_000;
const CLOCK_MS = 60_000;
const NEAR_PERCENT = 80;
const SOON_MS = 7 * 86_400_000;

interface KeysCardProps {
  accountId: string;
  report: UsageReport;
  range: OverviewRange;
}

/** Keys with the highest spend, and warnings for budgets that are nearly used up. */
export function KeysCard({ accountId, report, range }: KeysCardProps) {
  const { span, step } = getSpan(range);
  const { data, isError, error, isFetching, refetch } = useQuery(
    trpc.usage.topKeys.queryOptions(
      { accountId, span, bucket: step, timeZone: visitorTimeZone() },
      { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS, staleTime: 0 },
    ),
  );
  return (
    <Card>
      <section aria-labelledby="keys-by-spend">
        <h2 id="keys-by-spend" className="px-4 pt-3 pb-2 font-medium">
          Keys by spend
        </h2>
        {isError && data === undefined && (
          <ErrorState
            title="The keys could not be loaded"
            error={error}
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        )}
        {data === undefined && !isError && <Skeleton className="mx-4 mb-4 h-40" />}
        {data !== undefined && data.keys.length === 0 && (
          <p className="px-4 pb-4 text-[13px] text-ink-3">No key was used in this period.</p>
        )}
        {data !== undefined && data.keys.length > 0 && (
          <ul className="divide-y border-t">
            {data.keys.map((key) => (
              <KeyLine key={key.id} spend={key} report={report} range={range} />
            ))}
          </ul>
        )}
      </section>
    </Card>
  );
}

function KeyLine({ spend, report, range }: { spend: KeySpend; report: UsageReport; range: OverviewRange }) {
  return (
    <li className="px-4 py-2.5">
      <div className="flex items-baseline gap-3">
        <Link
          to={paths.usage}
          search={{ key: spend.id, period: range }}
          className="min-w-0 flex-1 truncate rounded-sm hover:underline"
        >
          {spend.name ?? spend.id}
        </Link>
        <span className="font-mono text-[12.5px]">
          <RoundedCost nanoUsd={spend.costNanoUsd} />
        </span>
      </div>
      <ShareBar part={spend.costNanoUsd} whole={report.totals.costNanoUsd} />
      <BudgetNote spend={spend} report={report} />
    </li>
  );
}

/** Warns if the budget of a key is nearly used up, or will be within days at this rate. */
function BudgetNote({ spend, report }: { spend: KeySpend; report: UsageReport }) {
  const nowMs = useNow(CLOCK_MS);
  if (spend.budget === null) return null;
  const { spentNanoUsd, maxNanoUsd } = spend.budget;
  const percent = spentPercent(spentNanoUsd, maxNanoUsd);
  if (percent === 100) return <Note tone="bad" chip="Budget used up" text="Requests are rejected." />;
  const left = BigInt(maxNanoUsd) - BigInt(spentNanoUsd);
  const lasts = lastsForMs(left, BigInt(spend.costNanoUsd), nowMs - Date.parse(report.current.from));
  const isSoon = lasts !== null && lasts < SOON_MS;
  if (percent < NEAR_PERCENT && !isSoon) return null;
  return (
    <Note
      tone="warn"
      chip={`${percent}% of budget used`}
      text={isSoon ? `Used up in about ${describeSpan(lasts)}` : ''}
    />
  );
}

function Note({ tone, chip, text }: { tone: 'warn' | 'bad'; chip: string; text: string }) {
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-2 text-[12.5px] text-ink-2">
      <Chip tone={tone}>{chip}</Chip>
      {text}
    </p>
  );
}
