import { useMemo } from 'react';
import { DataTable, DataTableSkeleton } from '../../components/table/data-table.tsx';
import { LINK_ROW } from '../../components/table/row-link.ts';
import { useVisibleRows } from '../../components/table/use-visible-rows.ts';
import type { RequestListRow } from '../../lib/trpc.ts';
import { useNow } from '../../lib/use-now.ts';
import { parseColumns, type ChosenColumns } from './columns/log-columns.ts';
import { requestColumns } from './columns/request-columns.tsx';
import { useRowKeys } from './use-row-keys.ts';

const CLOCK_MS = 30_000;
const ROW_PX = 43;
/** Narrow tables have no header. */
const LAYOUT = {
  align: 'middle',
  header: 'sticky',
  className: '@xl:table-fixed',
  headClassName: '@max-xl:hidden',
} as const;

interface RequestsTableProps {
  columns: ChosenColumns;
  rows: RequestListRow[];
  /** ID of the request in the drawer. */
  shownId: string | undefined;
  isStale: boolean;
  onShow: (id: string) => void;
  /** Called when the last loaded row becomes visible. */
  onNearEnd: () => void;
}

/** The request log. Only visible rows and a few more are rendered. */
export function RequestsTable(props: RequestsTableProps) {
  const { columns: chosen, rows, shownId, isStale, onShow, onNearEnd } = props;
  const nowMs = useNow(CLOCK_MS);
  const columns = useMemo(() => requestColumns(nowMs, chosen), [nowMs, chosen]);
  const visible = useVisibleRows({
    count: rows.length,
    getKey: (index) => rows[index]?.id ?? index,
    rowPx: ROW_PX,
    onNearEnd,
  });
  useRowKeys({ rows, shownId, onShow, scrollTo: visible.scrollTo });
  return (
    <DataTable
      {...LAYOUT}
      caption="Requests, newest first"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      visible={visible}
      isStale={isStale}
      rowClassName={({ id }) => `${LINK_ROW} ${id === shownId ? 'bg-accent-soft' : 'hover:bg-sunken'}`}
    />
  );
}

export function RequestsSkeleton() {
  return <DataTableSkeleton {...LAYOUT} columns={requestColumns(0, parseColumns(null))} />;
}
