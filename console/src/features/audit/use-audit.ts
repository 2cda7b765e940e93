import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import type { AuditSearch, AuditSpan } from './search.ts';

const DAY_MS = 86_400_000;
const SPAN_MS: Record<AuditSpan, number> = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS };

/** Query parameters, shared by the list and the export. */
export type AuditFilter = Partial<Record<'actorUserId' | 'action' | 'from' | 'until', string>>;

/** The filter from the URL. A period ends when the page was opened, so pagination stays consistent. */
export function useAuditFilter({ person, kind, since, from, until }: AuditSearch): AuditFilter {
  const [openedMs] = useState(() => Date.now());
  const spanFrom = since === undefined ? undefined : new Date(openedMs - SPAN_MS[since]).toISOString();
  const start = from === undefined && until === undefined ? spanFrom : from;
  return {
    ...(person !== undefined && { actorUserId: person }),
    ...(kind !== undefined && { action: kind }),
    ...(start !== undefined && { from: start }),
    ...(until !== undefined && { until }),
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
