import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import type { AuditKind, AuditSpan } from './search.ts';

const DAY_MS = 86_400_000;
const SPAN_MS: Record<AuditSpan, number> = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS };

interface AuditFilters {
  accountId: string;
  person: string | undefined;
  kind: AuditKind | undefined;
  since: AuditSpan | undefined;
}

/** The account's log, page by page. A span counts back from when the page was opened, so that its pages fit together. */
export function useAudit({ accountId, person, kind, since }: AuditFilters) {
  const [openedMs] = useState(() => Date.now());
  return useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions(
      {
        accountId,
        ...(person === undefined ? {} : { actorUserId: person }),
        ...(kind === undefined ? {} : { action: kind }),
        ...(since === undefined ? {} : { from: new Date(openedMs - SPAN_MS[since]).toISOString() }),
      },
      {
        getNextPageParam: (page) => page.nextCursor,
        placeholderData: keepPreviousData,
        staleTime: 0,
      },
    ),
  );
}
