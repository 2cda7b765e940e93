import type { SessionList } from '@tollgate/db/queries/requests/list-sessions';
import type { SessionTotals } from '@tollgate/db/queries/requests/session-totals';

/** The requests of one session, as sums. Amounts are nano-dollars in decimal, times are ISO 8601. */
export interface SessionView extends Omit<SessionTotals, 'costNanoUsd' | 'firstAt' | 'lastAt'> {
  costNanoUsd: string;
  firstAt: string;
  lastAt: string;
}

export interface SessionListView {
  sessions: SessionView[];
  /** True: more sessions are in the time range. */
  hasMore: boolean;
  /** null: the whole time range was searched. */
  searchedTo: string | null;
}

export function toSessionList({ sessions, hasMore, searchedTo }: SessionList): SessionListView {
  return {
    sessions: sessions.map(toSessionView),
    hasMore,
    searchedTo: searchedTo?.toISOString() ?? null,
  };
}

export function toSessionView(totals: SessionTotals): SessionView {
  return {
    ...totals,
    costNanoUsd: totals.costNanoUsd.toString(),
    firstAt: totals.firstAt.toISOString(),
    lastAt: totals.lastAt.toISOString(),
  };
}
