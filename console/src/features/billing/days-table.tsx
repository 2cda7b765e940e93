import { useQueries } from '@tanstack/react-query';
import { ChevronRight, ScrollText } from 'lucide-react';
import { useState } from 'react';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import { DecimalAligned } from '../../components/ui/decimal-aligned.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { cn } from '../../lib/cn.ts';
import { formatBalance } from '../../lib/format/money.ts';
import { trpc, type Billing, type DayRow } from '../../lib/trpc.ts';
import { formatChange, subtractAmount } from './amount.ts';
import { DayPart, listParts, type Part } from './day-parts.tsx';
import { formatDay, summarizeDay } from './describe-day.ts';
import { useDays } from './use-billing.ts';

/** Decimals of a nano-dollar. */
const EXACT_DECIMALS = 9;

/** A day, or a part of an open one. */
type Row =
  | { kind: 'pending'; id: string; changeNanoUsd: string; balanceNanoUsd: string }
  | { kind: 'day'; id: string; day: DayRow; isOpen: boolean; onToggle: () => void }
  | { kind: 'part'; id: string; part: Part };

/** The account's activity by day, newest first. A day opens to its payments and its usage by key. */
export function DaysTable({ accountId, billing }: { accountId: string; billing: Billing }) {
  const list = useDays(accountId, billing);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const days = list.data?.pages.flatMap((page) => page.days) ?? [];
  const openDays = days.filter(({ from }) => open.has(from));
  const queries = useQueries({
    queries: openDays.map(({ from, to }) =>
      trpc.billing.day.queryOptions({ accountId, from, to }, { staleTime: 0 }),
    ),
  });
  const partsByDay = new Map(openDays.map(({ from }, index) => [from, listParts(from, queries[index])]));
  const toggle = (from: string) =>
    setOpen((current) =>
      current.has(from) ? new Set([...current].filter((one) => one !== from)) : new Set([...current, from]),
    );
  const rows = days.flatMap((day): Row[] => [
    { kind: 'day', id: day.from, day, isOpen: open.has(day.from), onToggle: () => toggle(day.from) },
    ...(partsByDay.get(day.from) ?? []).map((part): Row => ({ kind: 'part', id: part.id, part })),
  ]);
  return (
    <DataTable
      list={list}
      failure="The activity could not be loaded"
      caption="Balance activity by day, newest first"
      columns={COLUMNS}
      rows={[...listPending(billing), ...rows]}
      rowKey={({ id }) => id}
      rowClassName={({ kind }) => (kind === 'day' ? undefined : 'bg-sunken/50 text-ink-2')}
      empty={
        <EmptyState icon={ScrollText} title="No activity yet">
          Top-ups, credit and usage appear here by day, each with the resulting balance.
        </EmptyState>
      }
    />
  );
}

function listPending({ unpostedNanoUsd, availableNanoUsd }: Billing): Row[] {
  if (BigInt(unpostedNanoUsd) === 0n) return [];
  const changeNanoUsd = subtractAmount('0', unpostedNanoUsd);
  return [{ kind: 'pending', id: 'pending', changeNanoUsd, balanceNanoUsd: availableNanoUsd }];
}

const COLUMNS: Column<Row>[] = [
  { head: 'Day', kind: 'main', isRowHead: true, cell: (row) => <Description row={row} /> },
  { head: 'Amount', kind: 'money', cell: (row) => <Change nanoUsd={getChange(row)} /> },
  {
    head: 'Balance',
    kind: 'money',
    from: 'lg',
    cell: (row) => {
      if (row.kind === 'part') return null;
      const nanoUsd = row.kind === 'day' ? row.day.balanceAfterNanoUsd : row.balanceNanoUsd;
      return <DecimalAligned text={formatBalance(nanoUsd)} decimals={EXACT_DECIMALS} />;
    },
    folded: (row) =>
      row.kind === 'day' && <div className="pl-6">Balance {formatBalance(row.day.balanceAfterNanoUsd)}</div>,
  },
];

/** @returns null: unknown */
function getChange(row: Row): string | null {
  switch (row.kind) {
    case 'pending':
      return row.changeNanoUsd;
    case 'day':
      return row.day.changeNanoUsd;
    case 'part':
      return row.part.changeNanoUsd;
  }
}

function Change({ nanoUsd }: { nanoUsd: string | null }) {
  if (nanoUsd === null) return null;
  return (
    <span className={cn(BigInt(nanoUsd) > 0n && 'text-accent')}>
      <DecimalAligned text={formatChange(nanoUsd)} decimals={EXACT_DECIMALS} />
    </span>
  );
}

function Description({ row }: { row: Row }) {
  switch (row.kind) {
    case 'pending':
      return (
        <div className="pl-6">
          Pending usage
          <div className="text-[12.5px] text-ink-3">Posted every hour, one entry per key</div>
        </div>
      );
    case 'part':
      return <DayPart part={row.part} />;
    case 'day':
      return (
        <button
          type="button"
          aria-expanded={row.isOpen}
          onClick={row.onToggle}
          className="flex w-full min-w-0 items-baseline gap-2 rounded-sm text-left pointer-coarse:min-h-11"
        >
          <ChevronRight
            aria-hidden
            className={cn(
              'size-4 shrink-0 self-center text-ink-3 transition-transform',
              row.isOpen && 'rotate-90',
            )}
          />
          <span className="shrink-0">{formatDay(row.day.from)}</span>
          <span className="min-w-0 truncate text-[12.5px] text-ink-2">{summarizeDay(row.day)}</span>
        </button>
      );
  }
}
