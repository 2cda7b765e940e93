import { useQuery } from '@tanstack/react-query';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { LastDays } from '../../components/ui/last-days.tsx';
import { Stat } from '../../components/ui/stat.tsx';
import { visitorTimeZone } from '../../lib/format/time-zone.ts';
import { trpc } from '../../lib/trpc.ts';
import { RoundedCost } from '../../components/ui/rounded-cost.tsx';
import { SpendChange } from '../usage/change-note.tsx';

const REFRESH_MS = 20_000;

const SPANS = [
  { span: 'today', label: 'Spend today', days: 1 },
  { span: 'week', label: 'Spend in 7 days', days: 7 },
  { span: 'month', label: 'Spend in 30 days', days: 30 },
] as const;

/** Spend of three fixed periods, independent of the period of the page. */
export function SpendFigures({ accountId }: { accountId: string }) {
  const { data } = useQuery(
    trpc.usage.spend.queryOptions(
      { accountId, timeZone: visitorTimeZone() },
      { refetchInterval: REFRESH_MS, staleTime: 0 },
    ),
  );
  return SPANS.map(({ span, label, days }) => {
    const spend = data?.[span];
    return (
      <Stat
        key={span}
        label={<LastDays days={days}>{label}</LastDays>}
        note={spend && <SpendChange now={spend.costNanoUsd} before={spend.previousNanoUsd} />}
      >
        {spend === undefined ? (
          <Skeleton className="h-6 w-24" />
        ) : (
          <RoundedCost nanoUsd={spend.costNanoUsd} />
        )}
      </Stat>
    );
  });
}
