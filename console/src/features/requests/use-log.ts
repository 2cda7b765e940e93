import type { RequestFilter } from '@tollgate/core/requests/request-filter';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { mergeRows } from './merge-rows.ts';
import { useRequests } from './use-requests.ts';
import { useTail } from './use-tail.ts';

/** Max pages without matches that load automatically. */
const MAX_EMPTY_PAGES = 40;
/** Scroll distance from which the user counts as reading. */
const AWAY_PX = 60;

/** Merges loaded pages with live rows. New rows are held back while the user reads. */
export function useLog(input: {
  accountId: string;
  filter: RequestFilter;
  isLive: boolean;
  isReading: boolean;
}) {
  const { accountId, filter, isLive } = input;
  const list = useRequests({ accountId, filter });
  const { data, isPlaceholderData, refetch, fetchNextPage, hasNextPage, isFetching, isFetchNextPageError } =
    list;
  const reload = useCallback(() => void refetch(), [refetch]);
  const tail = useTail({ accountId, filter, isOn: isLive, reload });
  const pages = useMemo(() => data?.pages ?? [], [data]);
  const rows = useMemo(
    () =>
      mergeRows({
        listed: pages.flatMap((page) => page.requests),
        live: tail.live,
        hasMore: hasNextPage,
        isOpenOnly: filter.status === 'open',
      }),
    [pages, tail.live, hasNextPage, filter.status],
  );
  const isAway = useIsAway();
  const frozenAt = useFrozen(
    isAway || input.isReading,
    isPlaceholderData ? undefined : rows[0]?.position,
    JSON.stringify([accountId, filter]),
  );
  const shown = useMemo(
    () => (frozenAt === null ? rows : rows.filter((row) => row.position <= frozenAt)),
    [rows, frozenAt],
  );
  const emptyPages = pages.length - 1 - pages.findLastIndex((page) => page.requests.length > 0);
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const onNearEnd = useCallback(() => {
    if (
      hasNextPage &&
      !isFetching &&
      !isFetchNextPageError &&
      emptyPages % MAX_EMPTY_PAGES !== MAX_EMPTY_PAGES - 1
    )
      void fetchNextPage();
  }, [hasNextPage, isFetching, isFetchNextPageError, emptyPages, fetchNextPage]);
  return {
    list,
    rows: shown,
    newCount: rows.length - shown.length,
    tailState: tail.state,
    searchedTo: pages.at(-1)?.searchedTo ?? null,
    loadMore,
    onNearEnd,
  };
}

function useIsAway(): boolean {
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    const look = () => setIsAway(window.scrollY > AWAY_PX);
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  return isAway;
}

/** The newest position shown, or null for all. It is fixed when the user starts reading and resets with the filter. */
function useFrozen(isReading: boolean, newest: string | undefined, subject: string): string | null {
  const [frozen, setFrozen] = useState<{ at: string; subject: string } | null>(null);
  if (!isReading && frozen !== null) setFrozen(null);
  const isSame = frozen !== null && frozen.subject === subject;
  if (isReading && !isSame && newest !== undefined) setFrozen({ at: newest, subject });
  return isReading && isSame ? frozen.at : null;
}
