import { nameClient } from '@tollgate/core/clients/clients';
import { Link } from '@tanstack/react-router';
import type { Column, ShownFrom } from '../../../components/table/column.ts';
import { ROW_LINK } from '../../../components/table/row-link.ts';
import { Chip } from '../../../components/ui/chip.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { Tooltip } from '../../../components/ui/tooltip.tsx';
import { paths } from '../../../lib/paths.ts';
import { cn } from '../../../lib/cn.ts';
import { formatCount } from '../../../lib/format/count.ts';
import { DecimalAligned } from '../../../components/ui/decimal-aligned.tsx';
import { ROUNDED_DECIMALS } from '../../../components/ui/rounded-cost.tsx';
import { formatCostRounded } from '../../../lib/format/money.ts';
import type { RequestListRow } from '../../../lib/trpc.ts';
import { describeStatus } from '../describe-status.ts';
import { formatClock, formatUtcExact } from '../format-clock.ts';
import { formatDuration } from '../../../lib/format/duration.ts';
import { describeCached } from '../sessions/describe-cached.ts';
import { fitColumns } from './fit-columns.ts';
import { FoldedValues } from './folded-values.tsx';
import { COLUMN_TITLES, LOG_COLUMNS, type ChosenColumns, type LogColumn } from './log-columns.ts';

const NONE = (
  <span aria-hidden className="text-ink-3">
    –
  </span>
);

/** Columns of the log. Narrow tables fold them into the model. */
export function requestColumns(nowMs: number, { shown }: ChosenColumns): Column<RequestListRow>[] {
  const fitting = fitColumns(shown);
  const definitions = defineColumns(nowMs);
  const getColumn = (id: LogColumn): Column<RequestListRow>[] => {
    const from = fitting.get(id);
    if (!shown.includes(id)) return [];
    return [{ head: COLUMN_TITLES[id], id, ...(from !== undefined && { from }), ...definitions[id] }];
  };
  return [
    {
      head: 'Status',
      width: 'w-16 @xl:w-[104px]',
      className: 'pr-0',
      cell: (row) => <StatusChip row={row} />,
    },
    ...getColumn('time'),
    {
      head: 'Model',
      isRowHead: true,
      width: '@max-xl:w-full @max-xl:max-w-0',
      cell: (row) => <Model row={row} nowMs={nowMs} fitting={fitting} />,
    },
    ...LOG_COLUMNS.filter((id) => id !== 'time').flatMap(getColumn),
  ];
}

type Definition = Omit<Column<RequestListRow>, 'head' | 'id' | 'from'>;
const NUMBER = { kind: 'number', className: 'text-[12.5px]' } as const;

function defineColumns(nowMs: number): Readonly<Record<LogColumn, Definition>> {
  return {
    time: {
      kind: 'time',
      width: 'w-[136px]',
      cell: ({ startedAt }) => <Started iso={startedAt} nowMs={nowMs} />,
    },
    key: {
      className: 'truncate text-[13px] text-ink-2',
      cell: ({ keyName }) => <span title={keyName ?? undefined}>{keyName ?? 'deleted key'}</span>,
    },
    client: {
      width: 'w-[150px]',
      className: 'truncate text-[12.5px] text-ink-2',
      cell: ({ client }) => (client === null ? NONE : <span title={client}>{nameClient(client)}</span>),
    },
    session: {
      width: 'w-[150px]',
      className: 'truncate font-mono text-[12px]',
      cell: ({ session }) => (session === null ? NONE : <SessionLink session={session} />),
    },
    endpoint: {
      width: 'w-[158px]',
      className: 'truncate font-mono text-[12px] text-ink-2',
      cell: ({ endpoint }) => <span title={endpoint}>{endpoint}</span>,
    },
    tokens: { ...NUMBER, width: 'w-[132px]', cell: (row) => <Tokens row={row} /> },
    cached: {
      ...NUMBER,
      width: 'w-[92px]',
      cell: (row) => (row.isOpen ? NONE : (describeCached(row) ?? NONE)),
    },
    firstByte: {
      ...NUMBER,
      width: 'w-[96px]',
      cell: ({ firstByteMs }) => (firstByteMs === null ? NONE : formatDuration(firstByteMs)),
    },
    latency: {
      ...NUMBER,
      width: 'w-[92px]',
      cell: ({ isOpen, latencyMs }) => (isOpen ? NONE : formatDuration(latencyMs)),
    },
    cost: {
      kind: 'money',
      width: 'w-[104px] @xl:w-[118px]',
      cell: ({ isOpen, costNanoUsd }) =>
        isOpen ? NONE : <DecimalAligned text={formatCostRounded(costNanoUsd)} decimals={ROUNDED_DECIMALS} />,
    },
  };
}

function SessionLink({ session }: { session: string }) {
  return (
    <Link
      to={paths.requestSession}
      search={{ session }}
      title={session}
      preload={false}
      className={cn(TEXT_LINK, 'relative z-10')}
    >
      {session}
    </Link>
  );
}

interface ModelProps {
  row: RequestListRow;
  nowMs: number;
  /** Chosen columns that may not fit. */
  fitting: ReadonlyMap<LogColumn, ShownFrom>;
}

function Model({ row, nowMs, fitting }: ModelProps) {
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
      <FoldedValues row={row} fitting={fitting} />
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
