import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FailureTable } from '../../../components/failures/failure-table.tsx';
import { BackLink } from '../../../components/layouts/back-link.tsx';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { useCurrentAccount } from '../../../lib/current-account.ts';
import { paths } from '../../../lib/paths.ts';
import { trpc, type FailureGroup } from '../../../lib/trpc.ts';
import { useNow } from '../../../lib/use-now.ts';
import { describeRange } from '../filters/describe-range.ts';
import { ModelFilter } from '../filters/model-filter.tsx';
import { ShownRange } from '../filters/shown-range.tsx';
import { SpanFilters } from '../filters/span-filters.tsx';
import { formatMinute } from '../format-clock.ts';
import { toFilter } from '../search.ts';
import type { FailuresSearch } from './search.ts';

const CLOCK_MS = 30_000;

/** Failed requests of the account, grouped by cause. */
export function FailuresPage() {
  const account = useCurrentAccount();
  const search = useSearch({ from: '/app/requests/errors' });
  const navigate = useNavigate({ from: '/requests/errors' });
  const list = useQuery(
    trpc.requests.failures.queryOptions(
      { accountId: account.id, filter: toFilter(search) },
      { placeholderData: keepPreviousData, staleTime: 0 },
    ),
  );
  const change = (part: Partial<FailuresSearch>) =>
    void navigate({ search: (current) => ({ ...current, ...part }), replace: true, resetScroll: false });
  return (
    <>
      <BackLink to={paths.requests}>Requests</BackLink>
      <PageHeader title="Errors">
        Failed requests of this account in <ShownRange {...search} />, grouped by cause.
      </PageHeader>
      <Card className="@container">
        <SpanFilters accountId={account.id} search={search} onChange={change}>
          <ModelFilter
            accountId={account.id}
            model={search.model}
            onChoose={(model) => change({ model: model ?? undefined })}
          />
        </SpanFilters>
        {list.isPending && <Skeleton className="m-4 h-64" />}
        {list.isError && list.data === undefined && (
          <ErrorState
            title="The errors could not be loaded"
            error={list.error}
            isRetrying={list.isFetching}
            onRetry={() => void list.refetch()}
          />
        )}
        {list.data !== undefined && (
          <Groups groups={list.data.groups} search={search} isStale={list.isPlaceholderData} />
        )}
        {list.data !== undefined && list.data.searchedTo !== null && (
          <p className="border-t px-4 py-3 text-[13px] text-ink-2">
            Searched back to {formatMinute(new Date(list.data.searchedTo))}. Choose a shorter time or a key to
            search further.
          </p>
        )}
      </Card>
    </>
  );
}

interface GroupsProps {
  groups: readonly FailureGroup[];
  search: FailuresSearch;
  isStale: boolean;
}

function Groups({ groups, search, isStale }: GroupsProps) {
  const nowMs = useNow(CLOCK_MS);
  return (
    <FailureTable
      groups={groups}
      nowMs={nowMs}
      reader="caller"
      isStale={isStale}
      emptyText={`No request failed in ${describeRange(search)}.`}
      renderExample={({ code, exampleId }) => (
        <div className="grid gap-1 text-[13px]">
          <Link to={paths.requests} search={{ ...search, request: exampleId }} className={TEXT_LINK}>
            Open newest
          </Link>
          <Link to={paths.requests} search={{ ...search, code }} className={TEXT_LINK}>
            Show in log
          </Link>
        </div>
      )}
    />
  );
}
