import type { Column } from '../../components/table/column.ts';
import { Link } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import { RoundedCost } from '../../components/ui/rounded-cost.tsx';
import { LastDays } from '../../components/ui/last-days.tsx';
import { RowCheckbox } from '../../components/ui/row-checkbox.tsx';
import { formatPlural } from '../../lib/format/count.ts';
import type { KeyRow } from '../../lib/trpc.ts';
import { BudgetCell } from './budget-cell.tsx';
import { KeyMenu } from './key-menu.tsx';
import { hasEnded, getKeyState } from './key-state.ts';
import { RelativeTime } from '../../components/ui/relative-time.tsx';
import { ScopeCell } from './scope-cell.tsx';
import { BudgetChip, StateChip, StateDot } from './state-chips.tsx';
import { TagChips } from './tags/tag-chips.tsx';
import type { Selection } from './use-selection.ts';

export interface KeyActions {
  onRevoke: (row: KeyRow) => void;
  onRotate: (row: KeyRow) => void;
}

interface ColumnContext {
  nowMs: number;
  /** null if the user can't make changes. */
  actions: KeyActions | null;
  /** null if the list has no bulk actions. */
  selection: Selection | null;
}

/** Columns of the keys. Narrow tables fold the time of the last use into the name. */
export function keyColumns({ nowMs, actions, selection }: ColumnContext): Column<KeyRow>[] {
  return [
    ...(selection === null ? [] : [selectionColumn(selection)]),
    {
      head: 'Name',
      id: 'name',
      isRowHead: true,
      firstSort: 'ascending',
      width: 'w-full max-w-0 min-w-28 @sm:min-w-36 @xl:w-auto @2xl:w-[26%] @5xl:w-[22%]',
      cell: (row) => <KeyName row={row} nowMs={nowMs} />,
    },
    { head: 'Scope', from: '2xl', cell: (row) => <ScopeCell row={row} /> },
    {
      head: 'Spend',
      id: 'spent',
      firstSort: 'descending',
      width: 'min-w-[116px] @sm:min-w-[140px] @4xl:w-[180px]',
      cell: (row) => <BudgetCell row={row} />,
    },
    {
      head: 'Last 7 days',
      headContent: <LastDays days={7}>Last 7 days</LastDays>,
      kind: 'number',
      from: '4xl',
      cell: (row) => <LastWeek usage={row.last7Days} />,
    },
    {
      head: 'Last used',
      id: 'used',
      kind: 'time',
      from: 'xl',
      firstSort: 'descending',
      cell: ({ lastUsedAt }) => <RelativeTime iso={lastUsedAt} nowMs={nowMs} never="never" />,
      folded: ({ lastUsedAt }) => (
        <RelativeTime iso={lastUsedAt} nowMs={nowMs} never="never used" prefix="used " />
      ),
    },
    {
      head: 'Created',
      id: 'created',
      kind: 'time',
      from: '5xl',
      firstSort: 'descending',
      cell: ({ createdAt }) => <RelativeTime iso={createdAt} nowMs={nowMs} never="" />,
    },
    {
      head: 'Actions',
      isHeadHidden: true,
      kind: 'actions',
      width: 'w-12',
      cell: (row) => <KeyActionsMenu row={row} nowMs={nowMs} actions={actions} />,
    },
  ];
}

function selectionColumn(selection: Selection): Column<KeyRow> {
  return {
    head: 'Selected',
    headContent: (
      <RowCheckbox
        label="Select all keys shown"
        checked={selection.state === 'some' ? 'indeterminate' : selection.state === 'all'}
        onToggle={selection.toggleAll}
      />
    ),
    width: 'w-8 pr-0',
    cell: ({ id, name }) => (
      <RowCheckbox
        label={`Select ${name}`}
        checked={selection.has(id)}
        onToggle={() => selection.toggle(id)}
      />
    ),
  };
}

function KeyName({ row, nowMs }: { row: KeyRow; nowMs: number }) {
  const state = getKeyState(row, nowMs);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="flex max-w-full min-w-0 items-center gap-[7px]">
          <StateDot state={state} />
          <Link
            to={paths.key}
            params={{ keyId: row.id }}
            className="truncate rounded-sm font-medium hover:underline"
            title={row.name}
          >
            {row.name}
          </Link>
        </span>
        <StateChip row={row} state={state} nowMs={nowMs} />
        <BudgetChip row={row} state={state} />
      </div>
      <div className="font-mono text-[12.5px] text-ink-3">
        {row.prefix}…{row.last4}
      </div>
      <TagChips tags={row.tags} />
    </>
  );
}

function KeyActionsMenu({ row, nowMs, actions }: { row: KeyRow } & Omit<ColumnContext, 'selection'>) {
  const canChange = actions !== null && !hasEnded(getKeyState(row, nowMs));
  return (
    <KeyMenu
      row={row}
      onRotate={canChange && row.replacedBy === null ? actions.onRotate : null}
      onRevoke={canChange ? actions.onRevoke : null}
    />
  );
}

function LastWeek({ usage }: { usage: KeyRow['last7Days'] }) {
  if (usage.requests === 0) {
    return (
      <span className="text-ink-3">
        <span aria-hidden>–</span>
        <span className="sr-only">no requests</span>
      </span>
    );
  }
  return (
    <>
      <RoundedCost nanoUsd={usage.costNanoUsd} />
      <div className="text-[12.5px] text-ink-2">{formatPlural(usage.requests, 'request')}</div>
    </>
  );
}
