import { useQuery } from '@tanstack/react-query';
import { Card } from '../../components/ui/card.tsx';
import { RoundedCost } from '../../components/ui/rounded-cost.tsx';
import { Tooltip } from '../../components/ui/tooltip.tsx';
import { formatCostRounded } from '../../lib/format/money.ts';
import { visitorTimeZone } from '../../lib/format/time-zone.ts';
import { trpc, type MonthSpend as Month } from '../../lib/trpc.ts';

const REFRESH_MS = 60_000;

/** Spend of the running month, with a forecast if the account was used long enough. */
export function MonthSpend({ accountId }: { accountId: string }) {
  const { data } = useQuery(
    trpc.usage.month.queryOptions({ accountId }, { refetchInterval: REFRESH_MS, staleTime: 0 }),
  );
  if (data === undefined || (data.spentNanoUsd === '0' && data.forecastNanoUsd === null)) return null;
  return (
    <Card className="flex flex-wrap items-baseline gap-x-6 gap-y-1 px-4 py-3 text-[13px]">
      <span className="text-ink-2">
        This month so far{' '}
        <span className="font-medium text-ink">
          <RoundedCost nanoUsd={data.spentNanoUsd} />
        </span>
      </span>
      {data.forecastNanoUsd !== null && <Forecast month={data} nanoUsd={data.forecastNanoUsd} />}
    </Card>
  );
}

function Forecast({ month: { to, averagedDays }, nanoUsd }: { month: Month; nanoUsd: string }) {
  const lastDay = new Intl.DateTimeFormat(undefined, {
    timeZone: visitorTimeZone(),
    day: 'numeric',
    month: 'long',
  }).format(Date.parse(to) - 1);
  return (
    <Tooltip
      content={`Forecast: spend so far, plus the daily average of the last ${averagedDays} full days for the rest of the month.`}
    >
      <button
        type="button"
        className="cursor-default rounded-sm text-left text-ink-2 underline decoration-line-strong decoration-dotted underline-offset-3"
      >
        About <span className="font-medium text-ink">{formatCostRounded(nanoUsd)}</span> by {lastDay}
      </button>
    </Tooltip>
  );
}
