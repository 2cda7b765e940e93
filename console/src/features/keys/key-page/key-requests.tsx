import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paths } from '../../../lib/paths.ts';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { LINK_ROW, ROW_LINK } from '../../../components/table/row-link.ts';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { DecimalAligned } from '../../../components/ui/decimal-aligned.tsx';
import { ROUNDED_DECIMALS } from '../../../components/ui/rounded-cost.tsx';
import { formatCostRounded } from '../../../lib/format/money.ts';
import { visitorTimeZone } from '../../../lib/format/time-zone.ts';
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
            columns={columns(keyId, nowMs)}
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

function columns(keyId: string, nowMs: number): Column<RequestListRow>[] {
  return [
    {
      head: 'Status',
      width: 'w-[84px]',
      cell: (row) => {
        const { label, tone } = describeStatus(row);
        return <Chip tone={tone}>{label}</Chip>;
      },
    },
    {
      head: 'Model',
      isRowHead: true,
      cell: ({ id, model, errorCode }) => (
        <>
          <Link to={paths.requests} search={{ key: keyId, request: id }} className={ROW_LINK}>
            {model ?? 'No model'}
          </Link>
          {errorCode !== null && (
            <span className="block truncate font-mono text-[12px] text-ink-2">{errorCode}</span>
          )}
        </>
      ),
    },
    {
      head: 'Time',
      kind: 'number',
      from: 'lg',
      width: 'w-36',
      className: 'text-[12.5px] text-ink-2',
      cell: ({ startedAt }) => <RelativeTime iso={startedAt} nowMs={nowMs} never="" />,
    },
    {
      head: 'Latency',
      kind: 'number',
      from: 'md',
      width: 'w-24',
      className: 'text-[12.5px]',
      cell: ({ isOpen, latencyMs }) => (isOpen ? '–' : formatDuration(latencyMs)),
    },
    {
      head: 'Cost',
      kind: 'money',
      width: 'w-28',
      cell: ({ isOpen, costNanoUsd }) =>
        isOpen ? '–' : <DecimalAligned text={formatCostRounded(costNanoUsd)} decimals={ROUNDED_DECIMALS} />,
    },
  ];
}
