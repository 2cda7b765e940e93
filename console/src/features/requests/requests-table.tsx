import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { cn } from '../../lib/cn.ts';
import type { RequestListRow } from '../../lib/trpc.ts';
import { useNow } from '../../lib/use-now.ts';
import { COLUMNS, HEAD } from './columns.ts';
import { RequestTableRow } from './request-table-row.tsx';
import { useRowKeys } from './use-row-keys.ts';

const CLOCK_MS = 30_000;
const ROW_PX = 43;
const OVERSCAN_ROWS = 12;

interface RequestsTableProps {
  rows: RequestListRow[];
  /** ID of the request in the drawer. */
  shownId: string | undefined;
  isStale: boolean;
  onShow: (id: string) => void;
  /** Called when the last loaded row becomes visible. */
  onNearEnd: () => void;
}

/** The log, virtualized: only visible rows and a few more are rendered. */
export function RequestsTable({ rows, shownId, isStale, onShow, onNearEnd }: RequestsTableProps) {
  const nowMs = useNow(CLOCK_MS);
  const body = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by a compiler
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN_ROWS,
    scrollMargin,
  });
  // Content above the table can change height and move the rows.
  useLayoutEffect(() => {
    const measure = () =>
      setScrollMargin(Math.round((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1);
  const lastIndex = last?.index ?? -1;
  useLayoutEffect(() => {
    if (lastIndex >= rows.length - 1) onNearEnd();
  }, [lastIndex, rows.length, onNearEnd]);
  useRowKeys({ rows, shownId, onShow, scrollTo: (index) => virtualizer.scrollToIndex(index) });
  const before = (items[0]?.start ?? scrollMargin) - scrollMargin;
  const after = virtualizer.getTotalSize() - ((last?.end ?? scrollMargin) - scrollMargin);
  return (
    <table className={cn('w-full @xl:table-fixed', isStale && 'opacity-60')} aria-rowcount={rows.length + 1}>
      <caption className="sr-only">Requests, newest first</caption>
      <RequestsTableHead />
      <tbody ref={body}>
        <Gap heightPx={before} />
        {items.map(({ index }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <RequestTableRow
              key={row.id}
              row={row}
              index={index}
              nowMs={nowMs}
              isShown={row.id === shownId}
              measure={virtualizer.measureElement}
            />
          );
        })}
        <Gap heightPx={after} />
      </tbody>
    </table>
  );
}

/** Spacer for rows that are not rendered. */
function Gap({ heightPx }: { heightPx: number }) {
  if (heightPx <= 0) return null;
  return <tr aria-hidden style={{ height: heightPx }} />;
}

export function RequestsTableHead() {
  return (
    <thead className="sticky top-0 z-20 @max-xl:hidden">
      <tr>
        <th scope="col" className={cn(HEAD, COLUMNS.status)}>
          Status
        </th>
        <th scope="col" className={cn(HEAD, COLUMNS.time)}>
          Time
        </th>
        <th scope="col" className={HEAD}>
          Model
        </th>
        <th scope="col" className={cn(HEAD, COLUMNS.key)}>
          Key
        </th>
        <th scope="col" className={cn(HEAD, COLUMNS.tokens, 'text-right')}>
          Tokens
        </th>
        <th scope="col" className={cn(HEAD, COLUMNS.firstByte, 'text-right')}>
          First byte
        </th>
        <th scope="col" className={cn(HEAD, COLUMNS.latency, 'text-right')}>
          Latency
        </th>
        <th scope="col" className={cn(HEAD, COLUMNS.cost, 'text-right')}>
          Cost
        </th>
      </tr>
    </thead>
  );
}
