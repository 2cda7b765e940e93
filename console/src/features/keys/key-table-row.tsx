import { Link } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import { RoundedCost } from '../../components/ui/rounded-cost.tsx';
import { RowCheckbox } from '../../components/ui/row-checkbox.tsx';
import { cn } from '../../lib/cn.ts';
import { formatPlural } from '../../lib/format/count.ts';
import type { KeyRow } from '../../lib/trpc.ts';
import { BudgetCell } from './budget-cell.tsx';
import { BOX_CELL, CELL, COLUMNS, FOLDED } from './columns.ts';
import { KeyMenu } from './key-menu.tsx';
import { hasEnded, keyStateOf } from './key-state.ts';
import { RelativeTime } from '../../components/ui/relative-time.tsx';
import { ScopeCell } from './scope-cell.tsx';
import { BudgetChip, StateChip, StateDot } from './state-chips.tsx';
import { TagChips } from './tags/tag-chips.tsx';
import type { Selection } from './use-selection.ts';

export interface KeyActions {
  onRevoke: (row: KeyRow) => void;
  onRotate: (row: KeyRow) => void;
}

interface KeyTableRowProps {
  row: KeyRow;
  nowMs: number;
  actions: KeyActions | null;
  selection: Selection | null;
}

export function KeyTableRow({ row, nowMs, actions, selection }: KeyTableRowProps) {
  const state = keyStateOf(row, nowMs);
  const isAlive = !hasEnded(state);
  return (
    <tr
      className={cn(
        selection?.has(row.id) === true &&
          'bg-accent-soft last:*:first:rounded-bl-[11px] last:*:last:rounded-br-[11px]',
      )}
    >
      {selection !== null && (
        <td className={BOX_CELL}>
          <RowCheckbox
            label={`Select ${row.name}`}
            checked={selection.has(row.id)}
            onToggle={() => selection.toggle(row.id)}
          />
        </td>
      )}
      <th
        scope="row"
        className={cn(
          CELL,
          'w-full max-w-0 min-w-28 text-left font-normal @sm:min-w-36 @xl:w-auto @2xl:w-[26%] @5xl:w-[22%]',
        )}
      >
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
        <div className={cn('text-[12.5px] text-ink-2', FOLDED.lastUsed)}>
          <RelativeTime iso={row.lastUsedAt} nowMs={nowMs} never="never used" prefix="used " />
        </div>
      </th>
      <td className={cn(CELL, COLUMNS.scope)}>
        <ScopeCell row={row} />
      </td>
      <td className={cn(CELL, 'min-w-[116px] @sm:min-w-[140px] @4xl:w-[180px]')}>
        <BudgetCell row={row} />
      </td>
      <td className={cn(CELL, COLUMNS.lastWeek, 'text-right whitespace-nowrap')}>
        <LastWeek usage={row.last7Days} />
      </td>
      <td className={cn(CELL, COLUMNS.lastUsed, 'text-[12.5px] whitespace-nowrap text-ink-2')}>
        <RelativeTime iso={row.lastUsedAt} nowMs={nowMs} never="never" />
      </td>
      <td className={cn(CELL, COLUMNS.created, 'text-[12.5px] whitespace-nowrap text-ink-2')}>
        <RelativeTime iso={row.createdAt} nowMs={nowMs} never="" />
      </td>
      <td className={cn(CELL, 'text-right @max-md:pl-0')}>
        <KeyMenu
          row={row}
          onRotate={actions !== null && isAlive && row.replacedBy === null ? actions.onRotate : null}
          onRevoke={actions !== null && isAlive ? actions.onRevoke : null}
        />
      </td>
    </tr>
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
