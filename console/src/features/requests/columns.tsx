import { nameClient } from '@tollgate/core/clients/clients';
import { Link } from '@tanstack/react-router';
import type { Column } from '../../components/table/column.ts';
import { ROW_LINK } from '../../components/table/row-link.ts';
import { Chip } from '../../components/ui/chip.tsx';
import { Tooltip } from '../../components/ui/tooltip.tsx';
import { paths } from '../../lib/paths.ts';
import { cn } from '../../lib/cn.ts';
import { formatCount } from '../../lib/format/count.ts';
import { DecimalAligned } from '../../components/ui/decimal-aligned.tsx';
import { ROUNDED_DECIMALS } from '../../components/ui/rounded-cost.tsx';
import { formatCostRounded } from '../../lib/format/money.ts';
import type { RequestListRow } from '../../lib/trpc.ts';
import { describeStatus } from './describe-status.ts';
import { formatClock, formatUtcExact } from './format-clock.ts';
import { formatDuration } from '../../lib/format/duration.ts';

const NONE = (
  <span aria-hidden className="text-ink-3">
    –
  </span>
);

/** Columns of the log. Narrow tables fold them into the model. */
export function requestColumns(nowMs: number): Column<RequestListRow>[] {
  return [
    {
      head: 'Status',
      width: 'w-16 @xl:w-[104px]',
      className: 'pr-0',
      cell: (row) => <StatusChip row={row} />,
    },
    {
      head: 'Time',
      kind: 'time',
      width: 'w-[136px]',
      from: '2xl',
      cell: ({ startedAt }) => <Started iso={startedAt} nowMs={nowMs} />,
    },
    {
      head: 'Model',
      isRowHead: true,
      width: '@max-xl:w-full @max-xl:max-w-0',
      cell: (row) => <Model row={row} nowMs={nowMs} />,
    },
    {
      head: 'Key',
      from: '3xl',
      className: 'truncate text-[13px] text-ink-2',
      cell: ({ keyName }) => <span title={keyName ?? undefined}>{keyName ?? 'deleted key'}</span>,
    },
    {
      head: 'Client',
      from: '5xl',
      width: 'w-[150px]',
      className: 'truncate text-[12.5px] text-ink-2',
      cell: ({ client }) => (client === null ? NONE : <span title={client}>{nameClient(client)}</span>),
    },
    {
      head: 'Tokens in → out',
      kind: 'number',
      width: 'w-[132px]',
      from: '4xl',
      className: 'text-[12.5px]',
      cell: (row) => <Tokens row={row} />,
    },
    {
      head: 'First byte',
      kind: 'number',
      width: 'w-[96px]',
      from: '5xl',
      className: 'text-[12.5px]',
      cell: ({ firstByteMs }) => (firstByteMs === null ? NONE : formatDuration(firstByteMs)),
    },
    {
      head: 'Latency',
      kind: 'number',
      width: 'w-[92px]',
      from: 'xl',
      className: 'text-[12.5px]',
      cell: ({ isOpen, latencyMs }) => (isOpen ? NONE : formatDuration(latencyMs)),
    },
    {
      head: 'Cost',
      kind: 'money',
      width: 'w-[104px] @xl:w-[118px]',
      cell: ({ isOpen, costNanoUsd }) =>
        isOpen ? NONE : <DecimalAligned text={formatCostRounded(costNanoUsd)} decimals={ROUNDED_DECIMALS} />,
    },
  ];
}

function Model({ row, nowMs }: { row: RequestListRow; nowMs: number }) {
  return (
    // Two lines need less padding to keep the height of the row.
    <div className={cn(row.errorCode !== null && '@xl:-my-2')}>
      <Link
        to={paths.requests}
        search={(current) => ({ ...current, request: row.id })}
        resetScroll={false}
        preload={false}
        data-request={row.id}
        className={cn(ROW_LINK, 'font-medium')}
        title={row.model ?? undefined}
      >
        {row.model ?? <span className="text-ink-3">No model</span>}
      </Link>
      <div className="truncate text-[12.5px] text-ink-2 @2xl:hidden">
        {formatClock(new Date(row.startedAt), nowMs)} · {row.keyName ?? 'deleted key'}
      </div>
      {row.errorCode !== null && (
        <div className="truncate font-mono text-xs/4 text-ink-2">{row.errorCode}</div>
      )}
    </div>
  );
}

function Started({ iso, nowMs }: { iso: string; nowMs: number }) {
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
