import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { visitorTimeZone } from '../../lib/format/time-zone.ts';
import { trpc, type UsageReport } from '../../lib/trpc.ts';
import { toQuery, type UsageChoice } from './choice.ts';
import type { Metric } from './search.ts';

const REFRESH_MS = 20_000;
const TIMES_STALE_MS = 60_000;

type UsageTime = 'latency' | 'firstByte';

/**
 * The report that a choice asks for, renewed while it is looked at; the former one stays until the next is
 * there.
 * @param times which latency to include, if the metric does not define it
 */
export function useReport(accountId: string, choice: UsageChoice, times: UsageTime[] = TIMES[choice.metric]) {
  return useQuery(
    trpc.usage.report.queryOptions(
      {
        accountId,
        ...toQuery(choice, visitorTimeZone()),
        groupBy: choice.group,
        order: ORDERS[choice.metric],
        times,
      },
      { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS, staleTime: 0 },
    ),
  );
}

/** Latency per group; loaded after the report, so that the report does not wait for it. */
export function useGroupTimes(accountId: string, choice: UsageChoice, report: UsageReport) {
  const groupBy = choice.group === 'status' ? 'model' : choice.group;
  const ids = report.groups.map(({ id }) => id).toSorted();
  return useQuery(
    trpc.usage.groupTimes.queryOptions(
      { accountId, ...toQuery(choice, visitorTimeZone()), groupBy, ids },
      { enabled: ids.length > 0, placeholderData: keepPreviousData, staleTime: TIMES_STALE_MS },
    ),
  );
}

const ORDERS: Record<Metric, 'cost' | 'requests' | 'tokens'> = {
  spend: 'cost',
  requests: 'requests',
  tokens: 'tokens',
  latency: 'requests',
  'first-token': 'requests',
};

const TIMES: Record<Metric, UsageTime[]> = {
  spend: [],
  requests: [],
  tokens: [],
  latency: ['latency'],
  'first-token': ['firstByte'],
};
