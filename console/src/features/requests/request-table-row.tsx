import { Link } from '@tanstack/react-router';
import { Chip } from '../../components/ui/chip.tsx';
import { Tooltip } from '../../components/ui/tooltip.tsx';
import { paths } from '../../lib/paths.ts';
import { cn } from '../../lib/cn.ts';
import { formatCount } from '../../lib/format/count.ts';
import { formatCostRounded } from '../../lib/format/money.ts';
import type { RequestListRow } from '../../lib/trpc.ts';
import { CELL, COLUMNS } from './columns.ts';
import { describeStatus } from './describe-status.ts';
import { formatClock, formatUtcExact } from './format-clock.ts';
import { formatDuration } from '../../lib/format/duration.ts';

interface RequestTableRowProps {
  row: RequestListRow;
  index: number;
  nowMs: number;
  isShown: boolean;
  measure: (element: HTMLTableRowElement | null) => void;
}

const NONE = (
  <span aria-hidden className="text-ink-3">
    –
  </span>
);

/** One request. The link covers the whole row. */
export function RequestTableRow({ row, index, nowMs, isShown, measure }: RequestTableRowProps) {
  const startedAt = new Date(row.startedAt);
  const number = cn(CELL, 'text-right text-[12.5px] whitespace-nowrap');
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      className={cn(
        'relative border-b last:border-b-0 has-[a:focus-visible]:bg-sunken',
        isShown ? 'bg-accent-soft' : 'hover:bg-sunken',
      )}
    >
      <td className={cn(CELL, COLUMNS.status, 'pr-0')}>
        <StatusChip row={row} />
      </td>
      <td className={cn(CELL, COLUMNS.time, 'text-[12.5px] whitespace-nowrap text-ink-2')}>
        <Began iso={row.startedAt} nowMs={nowMs} />
      </td>
      <th
        scope="row"
        className={cn(CELL, COLUMNS.model, 'text-left font-normal', row.errorCode !== null && '@xl:py-1')}
      >
        <Link
          to={paths.requests}
          search={(current) => ({ ...current, request: row.id })}
          resetScroll={false}
          preload={false}
          data-request={row.id}
          className="block truncate rounded-sm font-medium after:absolute after:inset-0 focus-visible:outline-none after:focus-visible:outline-2 after:focus-visible:-outline-offset-2 after:focus-visible:outline-accent"
          title={row.model ?? undefined}
        >
          {row.model ?? <span className="text-ink-3">no model</span>}
        </Link>
        <div className="truncate text-[12.5px] text-ink-2 @2xl:hidden">
          {formatClock(startedAt, nowMs)} · {row.keyName ?? 'deleted key'}
        </div>
        {row.errorCode !== null && (
          <div className="truncate font-mono text-xs/4 text-ink-2">{row.errorCode}</div>
        )}
      </th>
      <td
        className={cn(CELL, COLUMNS.key, 'truncate text-[13px] text-ink-2')}
        title={row.keyName ?? undefined}
      >
        {row.keyName ?? 'deleted key'}
      </td>
      <td className={cn(number, COLUMNS.tokens)}>
        <Tokens row={row} />
      </td>
      <td className={cn(number, COLUMNS.firstByte)}>
        {row.firstByteMs === null ? NONE : formatDuration(row.firstByteMs)}
      </td>
      <td className={cn(number, COLUMNS.latency)}>{row.isOpen ? NONE : formatDuration(row.latencyMs)}</td>
      <td className={cn(number, COLUMNS.cost, 'font-mono')}>
        {row.isOpen ? NONE : formatCostRounded(row.costNanoUsd)}
      </td>
    </tr>
  );
}

function Began({ iso, nowMs }: { iso: string; nowMs: number }) {
  const date = new Date(iso);
  return (
    <Tooltip content={formatUtcExact(date)}>
      <time dateTime={iso} className="relative z-10">
        {formatClock(date, nowMs)}
      </time>
    </Tooltip>
  );
}

function StatusChip({ row }: { row: RequestListRow }) {
  const { label, note, tone, title } = describeStatus(row);
  return (
    <Chip tone={tone} title={title ?? undefined} className="relative z-10">
      {row.isOpen && <span aria-hidden className="mr-1.5 size-[7px] rounded-full border border-current" />}
      {label}
      {note !== null && <span className="ml-1 @max-xl:sr-only">{note}</span>}
    </Chip>
  );
}

function Tokens({ row }: { row: RequestListRow }) {
  if (row.isOpen || row.inputTokens + row.outputTokens === 0) return NONE;
  return (
    <>
      {formatCount(row.inputTokens)}
      <span className="text-ink-3"> → </span>
      <span className="sr-only">in, </span>
      {formatCount(row.outputTokens)}
      <span className="sr-only"> out</span>
    </>
  );
}
