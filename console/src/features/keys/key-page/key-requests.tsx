import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paths } from '../../../lib/paths.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { LINK_ROW } from '../../../components/table/row-link.ts';
import { Card } from '../../../components/ui/card.tsx';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { visitorTimeZone } from '../../../lib/format/time-zone.ts';
import { trpc } from '../../../lib/trpc.ts';
import { useNow } from '../../../lib/use-now.ts';
import { recentColumns } from '../../requests/recent-columns.tsx';
import { usePageSearch } from './use-page-search.ts';

const SHOWN = 8;
const REFRESH_MS = 10_000;
const CLOCK_MS = 5_000;

/** The newest requests of the key, all or failed only. Each links to its details. */
export function KeyRequests({ accountId, keyId }: { accountId: string; keyId: string }) {
  const [{ show }, setSearch] = usePageSearch();
  const nowMs = useNow(CLOCK_MS);
  const filter = {
    key: keyId,
    range: '30d' as const,
    zone: visitorTimeZone(),
    ...(show === undefined ? {} : { status: 'failed' }),
  };
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
        <div className="border-y">
          <DataTable
            list={list}
            failure="The requests could not be loaded"
            caption="Requests of this key, newest first"
            header="hidden"
            density="dense"
            align="middle"
            className="table-fixed"
            columns={recentColumns({ key: keyId }, nowMs)}
            rows={list.data?.requests ?? []}
            rowKey={({ id }) => id}
            rowClassName={() => `${LINK_ROW} hover:bg-sunken`}
            empty={
              <p className="px-4 py-6 text-center text-[13px] text-ink-3">
                {show === 'failed'
                  ? 'No failed requests in the last 30 days.'
                  : 'No requests in the last 30 days.'}
              </p>
            }
          />
        </div>
        <p className="px-4 py-3 text-[13px]">
          <Link to={paths.requests} search={{ key: keyId, status: filter.status }} className={TEXT_LINK}>
            View in Requests
          </Link>
        </p>
      </section>
    </Card>
  );
}
