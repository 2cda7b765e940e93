import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DataTable } from '../../components/table/data-table.tsx';
import { LINK_ROW } from '../../components/table/row-link.ts';
import { Card } from '../../components/ui/card.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { visitorTimeZone } from '../../lib/format/time-zone.ts';
import { paths } from '../../lib/paths.ts';
import { trpc } from '../../lib/trpc.ts';
import { useNow } from '../../lib/use-now.ts';
import { recentColumns } from '../requests/recent-columns.tsx';

const SHOWN = 8;
const REFRESH_MS = 10_000;
const CLOCK_MS = 5_000;

/** The newest requests of the account. Each links to its details. */
export function RecentRequests({ accountId }: { accountId: string }) {
  const nowMs = useNow(CLOCK_MS);
  const list = useQuery(
    trpc.requests.list.queryOptions(
      { accountId, filter: { range: '30d', zone: visitorTimeZone() }, limit: SHOWN },
      { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS, staleTime: 0 },
    ),
  );
  return (
    <Card className="@container min-w-0">
      <section aria-labelledby="recent-requests">
        <div className="flex flex-wrap items-center gap-x-3 px-4 pt-3 pb-2">
          <h2 id="recent-requests" className="font-medium">
            Recent requests
          </h2>
          <Link to={paths.requests} className={`text-[13px] ${TEXT_LINK}`}>
            View all
          </Link>
        </div>
        <div className="border-t">
          <DataTable
            list={list}
            failure="The requests could not be loaded"
            caption="Requests of this account, newest first"
            header="hidden"
            density="dense"
            align="middle"
            className="table-fixed"
            columns={recentColumns({}, nowMs)}
            rows={list.data?.requests ?? []}
            rowKey={({ id }) => id}
            rowClassName={() => `${LINK_ROW} hover:bg-sunken`}
            empty={
              <p className="px-4 py-6 text-center text-[13px] text-ink-3">No requests in the last 30 days.</p>
            }
          />
        </div>
      </section>
    </Card>
  );
}
