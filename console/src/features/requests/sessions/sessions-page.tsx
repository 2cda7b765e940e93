import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { BackLink } from '../../../components/layouts/back-link.tsx';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { useCurrentAccount } from '../../../lib/current-account.ts';
import { paths } from '../../../lib/paths.ts';
import { trpc } from '../../../lib/trpc.ts';
import { describeRange } from '../filters/describe-range.ts';
import { ShownRange } from '../filters/shown-range.tsx';
import { SpanFilters } from '../filters/span-filters.tsx';
import { formatMinute } from '../format-clock.ts';
import { toFilter } from '../search.ts';
import type { SessionsSearch } from './search.ts';
import { SessionsTable } from './sessions-table.tsx';

/** Conversations of the account: the requests of a session as one row. */
export function SessionsPage() {
  const account = useCurrentAccount();
  const search = useSearch({ from: '/app/requests/sessions' });
  const navigate = useNavigate({ from: '/requests/sessions' });
  const list = useQuery(
    trpc.requests.sessions.queryOptions(
      { accountId: account.id, filter: toFilter(search) },
      { placeholderData: keepPreviousData, staleTime: 0 },
    ),
  );
  const change = (part: Partial<SessionsSearch>) =>
    void navigate({ search: (current) => ({ ...current, ...part }), replace: true, resetScroll: false });
  return (
    <>
      <BackLink to={paths.requests}>Requests</BackLink>
      <PageHeader title="Sessions">
        Conversations with requests in <ShownRange {...search} />, most recent first. Figures include all of
        their requests.
      </PageHeader>
      <Card className="@container">
        <SpanFilters accountId={account.id} search={search} onChange={change} />
        {list.isPending && <Skeleton className="m-4 h-64" />}
        {list.isError && list.data === undefined && (
          <ErrorState
            title="The sessions could not be loaded"
            error={list.error}
            isRetrying={list.isFetching}
            onRetry={() => void list.refetch()}
          />
        )}
        {list.data !== undefined && (
          <>
            <SessionsTable
              sessions={list.data.sessions}
              isStale={list.isPlaceholderData}
              range={describeRange(search)}
            />
            <End hasMore={list.data.hasMore} searchedTo={list.data.searchedTo} />
          </>
        )}
      </Card>
    </>
  );
}

/** What the list leaves out. */
function End({ hasMore, searchedTo }: { hasMore: boolean; searchedTo: string | null }) {
  if (!hasMore && searchedTo === null) return null;
  return (
    <p className="border-t px-4 py-3 text-[13px] text-ink-2">
      {hasMore
        ? 'These are the 100 most recent sessions. Choose an earlier or shorter time to see others.'
        : `Searched back to ${formatMinute(new Date(searchedTo ?? 0))}. Choose an earlier time or a key to search further.`}
    </p>
  );
}
