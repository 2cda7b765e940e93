import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { usePeriodRange } from '../../components/audit/use-period-range.ts';
import { trpc } from '../../lib/trpc.ts';
import type { AuditSearch } from './search.ts';

/** Query parameters, shared by the list and the export. */
export type AuditFilter = Partial<Record<'actorUserId' | 'action' | 'from' | 'until', string>>;

/** The filter from the URL. */
export function useAuditFilter({ person, kind, ...period }: AuditSearch): AuditFilter {
  const range = usePeriodRange(period);
  return {
    ...(person !== undefined && { actorUserId: person }),
    ...(kind !== undefined && { action: kind }),
    ...range,
  };
}

/** The account's audit log, paginated. */
export function useAudit(accountId: string, filter: AuditFilter) {
  return useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions(
      { accountId, ...filter },
      {
        getNextPageParam: (page) => page.nextCursor,
        placeholderData: keepPreviousData,
        staleTime: 0,
      },
    ),
  );
}
