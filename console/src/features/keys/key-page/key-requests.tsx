import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paths } from '../../../lib/paths.ts';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { cn } from '../../../lib/cn.ts';
import { formatCostRounded } from '../../../lib/format/money.ts';
import { trpc, type RequestListRow } from '../../../lib/trpc.ts';
import { useNow } from '../../../lib/use-now.ts';
import { describeStatus } from '../../requests/describe-status.ts';
import { formatDuration } from '../../../lib/format/duration.ts';
import { RelativeTime } from '../../../components/ui/relative-time.tsx';
import { usePageSearch } from './use-page-search.ts';

const SHOWN = 8;
const REFRESH_MS = 10_000;
const CLOCK_MS = 5_000;

/** The newest requests of the key, all or failed only. Each links to its details. */
export function KeyRequests({ accountId, keyId }: { accountId: string; keyId: string }) {
  const [{ show }, setSearch] = usePageSearch();
  const filter = { key: keyId, range: '30d' as const, ...(show === undefined ? {} : { status: 'failed' }) };
  const list = useQuery(
    trpc.requests.list.queryOptions(
      { accountId, filter, limit: SHOWN },
      { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS, staleTime: 0 },
    ),
  );
  return (
    <Card className="@container min-w-0">
      <section aria-labelledby="key-requests">
        <div className="flex flex-wrap items-center gap-2 px-4 pt-3 pb-2">
          <h2 id="key-requests" className="mr-auto font-medium">
            Recent requests
          </h2>
          <Segmented<'all' | 'failed'>
            label="Request status"
            value={show ?? 'all'}
            onValueChange={(next) => setSearch({ show: next === 'failed' ? next : undefined })}
            options={[
              { value: 'all', label: 'All' },
              { value: 'failed', label: 'Failed' },
            ]}
          />
        </div>
        {list.isPending && <Skeleton className="mx-4 mb-4 h-40" />}
        {list.isError && list.data === undefined && (
          <ErrorState
            title="The requests could not be loaded"
            error={list.error}
            isRetrying={list.isFetching}
            onRetry={() => void list.refetch()}
          />
        )}
        {list.data !== undefined && (
          <RequestRows rows={list.data.requests} keyId={keyId} isFailed={show === 'failed'} />
        )}
        <p className="px-4 py-3 text-[13px]">
          <Link to={paths.requests} search={{ key: keyId, status: filter.status }} className={TEXT_LINK}>
            View in Requests
          </Link>
        </p>
      </section>
    </Card>
  );
}

function RequestRows({
  rows,
  keyId,
  isFailed,
}: {
  rows: RequestListRow[];
  keyId: string;
  isFailed: boolean;
}) {
  const nowMs = useNow(CLOCK_MS);
  if (rows.length === 0) {
    return (
      <p className="border-y px-4 py-6 text-center text-[13px] text-ink-3">
        {isFailed ? 'No failed requests in the last 30 days.' : 'No requests in the last 30 days.'}
      </p>
    );
  }
  return (
    <table className="w-full table-fixed border-y text-[13px]">
      <caption className="sr-only">Requests of this key, newest first</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Model</th>
          <th scope="col">Time</th>
          <th scope="col">Latency</th>
          <th scope="col">Cost</th>
        </tr>
      </thead>
      <tbody className="divide-y">
        {rows.map((row) => (
          <RequestRow key={row.id} row={row} keyId={keyId} nowMs={nowMs} />
        ))}
      </tbody>
    </table>
  );
}

function RequestRow({ row, keyId, nowMs }: { row: RequestListRow; keyId: string; nowMs: number }) {
  const { label, tone } = describeStatus(row);
  const number = 'py-2 pr-4 text-right whitespace-nowrap text-[12.5px]';
  return (
    <tr className="relative hover:bg-sunken has-[a:focus-visible]:bg-sunken">
      <td className="w-[84px] py-2 pl-4">
        <Chip tone={tone}>{label}</Chip>
      </td>
      <th scope="row" className="py-2 pr-3 text-left font-normal">
        <Link
          to={paths.requests}
          search={{ key: keyId, request: row.id }}
          className="block truncate rounded-sm after:absolute after:inset-0 focus-visible:outline-none after:focus-visible:outline-2 after:focus-visible:-outline-offset-2 after:focus-visible:outline-accent"
        >
          {row.model ?? 'no model'}
        </Link>
        {row.errorCode !== null && (
          <span className="block truncate font-mono text-[12px] text-ink-2">{row.errorCode}</span>
        )}
      </th>
      <td className={cn(number, 'w-36 text-ink-2 @max-lg:hidden')}>
        <RelativeTime iso={row.startedAt} nowMs={nowMs} never="" />
      </td>
      <td className={cn(number, 'w-24 @max-md:hidden')}>
        {row.isOpen ? '–' : formatDuration(row.latencyMs)}
      </td>
      <td className={cn(number, 'w-28 font-mono')}>
        {row.isOpen ? '–' : formatCostRounded(row.costNanoUsd)}
      </td>
    </tr>
  );
}
