import { nameClient } from '@tollgate/core/clients/clients';
import { Link } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { LINK_ROW, ROW_LINK } from '../../../components/table/row-link.ts';
import { DecimalAligned } from '../../../components/ui/decimal-aligned.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { RelativeTime } from '../../../components/ui/relative-time.tsx';
import { ROUNDED_DECIMALS } from '../../../components/ui/rounded-cost.tsx';
import { cn } from '../../../lib/cn.ts';
import { formatCount, formatPlural } from '../../../lib/format/count.ts';
import { formatDuration } from '../../../lib/format/duration.ts';
import { formatCostRounded } from '../../../lib/format/money.ts';
import { paths } from '../../../lib/paths.ts';
import type { RequestSession } from '../../../lib/trpc.ts';
import { useNow } from '../../../lib/use-now.ts';
import { describeCached } from './describe-cached.ts';

const CLOCK_MS = 30_000;

interface SessionsTableProps {
  sessions: readonly RequestSession[];
  isStale: boolean;
  /** The time range, for a sentence. */
  range: string;
}

export function SessionsTable({ sessions, isStale, range }: SessionsTableProps) {
  const nowMs = useNow(CLOCK_MS);
  return (
    <DataTable
      caption="Sessions, most recent first"
      columns={getColumns(nowMs)}
      rows={sessions}
      rowKey={({ session }) => session}
      rowClassName={() => `${LINK_ROW} hover:bg-sunken`}
      isStale={isStale}
      empty={
        <EmptyState icon={MessagesSquare} title={`No sessions in ${range}`}>
          Requests with the header <code className="font-mono text-[12.5px] text-ink">x-session-id</code>{' '}
          appear here. Claude Code, Codex and OpenCode name their sessions themselves.
        </EmptyState>
      }
    />
  );
}

function getColumns(nowMs: number): Column<RequestSession>[] {
  return [
    {
      head: 'Session',
      isRowHead: true,
      kind: 'main',
      cell: (row) => <Name row={row} />,
    },
    {
      head: 'Last active',
      kind: 'time',
      from: 'xl',
      cell: ({ lastAt }) => (
        <span className="relative z-10">
          <RelativeTime iso={lastAt} nowMs={nowMs} never="never" />
        </span>
      ),
      folded: ({ lastAt }) => <RelativeTime iso={lastAt} nowMs={nowMs} never="never" />,
    },
    {
      head: 'Duration',
      kind: 'number',
      from: '4xl',
      className: 'text-[12.5px]',
      cell: ({ firstAt, lastAt }) => formatDuration(Date.parse(lastAt) - Date.parse(firstAt)),
    },
    {
      head: 'Requests',
      kind: 'number',
      className: 'text-[12.5px]',
      cell: (row) => <Requests row={row} />,
    },
    {
      head: 'Tokens in → out',
      kind: 'number',
      from: '3xl',
      className: 'text-[12.5px]',
      cell: ({ inputTokens, outputTokens }) => (
        <>
          {formatCount(inputTokens)}
          <span className="text-ink-3"> → </span>
          {formatCount(outputTokens)}
        </>
      ),
    },
    {
      head: 'Cached input',
      kind: 'number',
      from: '2xl',
      className: 'text-[12.5px]',
      cell: (row) => describeCached(row) ?? '–',
    },
    {
      head: 'Cost',
      kind: 'money',
      cell: ({ costNanoUsd }) => (
        <DecimalAligned text={formatCostRounded(costNanoUsd)} decimals={ROUNDED_DECIMALS} />
      ),
    },
  ];
}

function Name({ row: { session, models, clients } }: { row: RequestSession }) {
  const used = [...new Set(clients.map(nameClient)), ...models];
  return (
    <>
      <Link
        to={paths.requestSession}
        search={{ session }}
        title={session}
        className={cn(ROW_LINK, 'font-mono text-[12.5px] font-medium')}
      >
        {session}
      </Link>
      <div className="truncate text-[12.5px] text-ink-2">{used.join(' · ')}</div>
    </>
  );
}

function Requests({ row: { requests, isCut, failed } }: { row: RequestSession }) {
  return (
    <>
      {formatCount(requests)}
      {isCut && '+'}
      {failed > 0 && <div className="text-danger">{formatPlural(failed, 'error')}</div>}
    </>
  );
}
