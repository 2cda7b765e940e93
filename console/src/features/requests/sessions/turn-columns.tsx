import { Link } from '@tanstack/react-router';
import type { Column } from '../../../components/table/column.ts';
import { ROW_LINK } from '../../../components/table/row-link.ts';
import { Chip } from '../../../components/ui/chip.tsx';
import { DecimalAligned } from '../../../components/ui/decimal-aligned.tsx';
import { ROUNDED_DECIMALS } from '../../../components/ui/rounded-cost.tsx';
import { Tooltip } from '../../../components/ui/tooltip.tsx';
import { cn } from '../../../lib/cn.ts';
import { formatCount } from '../../../lib/format/count.ts';
import { formatDuration } from '../../../lib/format/duration.ts';
import { formatCostRounded } from '../../../lib/format/money.ts';
import { paths } from '../../../lib/paths.ts';
import type { RequestListRow } from '../../../lib/trpc.ts';
import { describeStatus } from '../describe-status.ts';
import { formatClock, formatUtcExact } from '../format-clock.ts';
import { describeCached } from './describe-cached.ts';

/** A request of a session, with its place. */
export interface Turn {
  row: RequestListRow;
  /** From 1. */
  number: number;
  /** Since the end of the request before; 0 if both overlap; null: the first one. */
  pauseMs: number | null;
}

/** @param rows the oldest first */
export function toTurns(rows: readonly RequestListRow[]): Turn[] {
  return rows.map((row, index) => {
    const before = rows[index - 1];
    const endMs = before === undefined ? 0 : Date.parse(before.startedAt) + before.latencyMs;
    const pauseMs = before === undefined ? null : Math.max(0, Date.parse(row.startedAt) - endMs);
    return { row, number: index + 1, pauseMs };
  });
}

const NONE = (
  <span aria-hidden className="text-ink-3">
    –
  </span>
);

export function turnColumns(nowMs: number): Column<Turn>[] {
  return [
    {
      head: '#',
      kind: 'number',
      width: 'w-10',
      className: 'pr-0 text-[12.5px] text-ink-3',
      cell: ({ number }) => formatCount(number),
    },
    {
      head: 'Request',
      isRowHead: true,
      kind: 'main',
      cell: (turn) => <Request turn={turn} nowMs={nowMs} />,
    },
    {
      head: 'Started',
      kind: 'time',
      from: '2xl',
      cell: (turn) => <Started turn={turn} nowMs={nowMs} />,
    },
    {
      head: 'Input',
      kind: 'number',
      from: 'xl',
      className: 'text-[12.5px]',
      cell: ({ row }) => <Input row={row} />,
      folded: ({ row }) => <Folded row={row} />,
    },
    {
      head: 'Output',
      kind: 'number',
      from: '3xl',
      className: 'text-[12.5px]',
      cell: ({ row }) => (row.isOpen ? NONE : formatCount(row.outputTokens)),
    },
    {
      head: 'First byte',
      kind: 'number',
      from: '4xl',
      className: 'text-[12.5px]',
      cell: ({ row }) => (row.firstByteMs === null ? NONE : formatDuration(row.firstByteMs)),
    },
    {
      head: 'Latency',
      kind: 'number',
      from: 'lg',
      className: 'text-[12.5px]',
      cell: ({ row }) => (row.isOpen ? NONE : formatDuration(row.latencyMs)),
    },
    {
      head: 'Cost',
      kind: 'money',
      cell: ({ row: { isOpen, costNanoUsd } }) =>
        isOpen ? NONE : <DecimalAligned text={formatCostRounded(costNanoUsd)} decimals={ROUNDED_DECIMALS} />,
    },
  ];
}

function Request({ turn: { row }, nowMs }: { turn: Turn; nowMs: number }) {
  const { label, note, tone, title } = describeStatus(row);
  return (
    <>
      <div className="flex min-w-0 items-center gap-2">
        <Link
          to={paths.requestSession}
          search={(current) => ({ ...current, request: row.id })}
          resetScroll={false}
          preload={false}
          data-request={row.id}
          className={cn(ROW_LINK, 'min-w-0 font-medium')}
          title={row.model ?? undefined}
        >
          {row.model ?? <span className="text-ink-3">No model</span>}
        </Link>
        {tone !== 'ok' && (
          <Chip tone={tone} title={title ?? undefined} className="shrink-0">
            {label}
            {note !== null && ` ${note}`}
          </Chip>
        )}
      </div>
      <div className="truncate text-[12.5px] text-ink-2 @2xl:hidden">
        {formatClock(new Date(row.startedAt), nowMs)}
      </div>
      {row.errorCode !== null && (
        <div className="truncate font-mono text-xs/4 text-ink-2">{row.errorCode}</div>
      )}
    </>
  );
}

function Started({ turn: { row, pauseMs }, nowMs }: { turn: Turn; nowMs: number }) {
  const date = new Date(row.startedAt);
  return (
    <>
      <Tooltip content={formatUtcExact(date)}>
        <time dateTime={row.startedAt} className="relative z-10">
          {formatClock(date, nowMs)}
        </time>
      </Tooltip>
      {pauseMs !== null && pauseMs > 0 && <div className="text-ink-3">{formatDuration(pauseMs)} later</div>}
    </>
  );
}

/** Input tokens, and how many of them were read from a cache, as a number and a bar. */
function Input({ row }: { row: RequestListRow }) {
  const cached = describeCached(row);
  if (row.isOpen || cached === null) return NONE;
  return (
    <div className="ml-auto grid w-[92px] gap-1">
      {formatCount(row.inputTokens)}
      <span aria-hidden className="h-1 overflow-hidden rounded-full bg-line">
        <span className="block h-full rounded-full bg-accent" style={{ width: cached }} />
      </span>
      <span className="text-ink-3">{cached} cached</span>
    </div>
  );
}

/** Tokens and latency on a phone. */
function Folded({ row }: { row: RequestListRow }) {
  const cached = describeCached(row);
  if (row.isOpen || cached === null) return null;
  return (
    <span className="block truncate">
      {formatCount(row.inputTokens)} in, {cached} cached · {formatDuration(row.latencyMs)}
    </span>
  );
}
