import { Chip } from '../../components/ui/chip.tsx';
import { cn } from '../../lib/cn.ts';
import { formatCost, spentPercent } from '../../lib/format/money.ts';
import { formatPlural } from '../../lib/format/count.ts';
import { formatRelative } from '../../lib/format/time.ts';
import type { KeyRow } from '../../lib/trpc.ts';
import { BudgetCell } from './budget-cell.tsx';
import { COLUMNS, FOLDED } from './columns.ts';
import { KeyMenu } from './key-menu.tsx';
import { hasEnded, KEY_STATE_LABELS, keyStateOf, type KeyState } from './key-state.ts';
import { RelativeTime } from './relative-time.tsx';
import { ScopeCell } from './scope-cell.tsx';

interface KeyTableRowProps {
  row: KeyRow;
  nowMs: number;
  canEdit: boolean;
  onDetails: () => void;
  onRevoke: () => void;
}

const CELL = 'px-3.5 py-[11px] align-middle @max-md:px-2.5';

export function KeyTableRow({ row, nowMs, canEdit, onDetails, onRevoke }: KeyTableRowProps) {
  const state = keyStateOf(row, nowMs);
  return (
    <tr>
      <th
        scope="row"
        className={cn(CELL, 'w-full max-w-0 min-w-36 text-left font-normal @xl:w-auto @2xl:w-[26%]')}
      >
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="flex max-w-full min-w-0 items-center gap-[7px]">
            <StateDot state={state} />
            <span className="truncate font-medium" title={row.name}>
              {row.name}
            </span>
          </span>
          <StateChip row={row} state={state} nowMs={nowMs} />
          {!hasEnded(state) && isBudgetSpent(row) && <Chip tone="bad">budget spent</Chip>}
        </div>
        <div className="font-mono text-[12.5px] text-ink-3">
          {row.prefix}…{row.last4}
        </div>
        <div className={cn('text-[12.5px] text-ink-2', FOLDED.lastUsed)}>
          <RelativeTime iso={row.lastUsedAt} nowMs={nowMs} never="never used" prefix="used " />
        </div>
      </th>
      <td className={cn(CELL, COLUMNS.scope)}>
        <ScopeCell row={row} />
      </td>
      <td className={cn(CELL, 'min-w-[140px] @4xl:w-[180px]')}>
        <BudgetCell row={row} />
      </td>
      <td className={cn(CELL, COLUMNS.lastWeek, 'text-right')}>
        <LastWeek usage={row.last7Days} />
      </td>
      <td className={cn(CELL, COLUMNS.lastUsed, 'text-[12.5px] whitespace-nowrap text-ink-2')}>
        <RelativeTime iso={row.lastUsedAt} nowMs={nowMs} never="never" />
      </td>
      <td className={cn(CELL, 'text-right @max-md:pl-0')}>
        <KeyMenu row={row} onDetails={onDetails} onRevoke={canEdit && !hasEnded(state) ? onRevoke : null} />
      </td>
    </tr>
  );
}

function StateDot({ state }: { state: KeyState }) {
  const isAlive = state === 'active' || state === 'expiring';
  return (
    <span className={cn('size-[7px] shrink-0 rounded-full', isAlive ? 'bg-accent' : 'bg-ink-3')}>
      <span className="sr-only">{KEY_STATE_LABELS[state]}: </span>
    </span>
  );
}

function StateChip({ row, state, nowMs }: { row: KeyRow; state: KeyState; nowMs: number }) {
  if (state === 'revoked' && row.revokedAt !== null) {
    return <Chip tone="bad">revoked {formatRelative(new Date(row.revokedAt), nowMs)}</Chip>;
  }
  if (state === 'expired' && row.expiresAt !== null) {
    return <Chip>expired {formatRelative(new Date(row.expiresAt), nowMs)}</Chip>;
  }
  if (state === 'expiring' && row.expiresAt !== null) {
    return <Chip tone="warn">expires {formatRelative(new Date(row.expiresAt), nowMs)}</Chip>;
  }
  return null;
}

/** The key is alive, but every call with it is refused. */
function isBudgetSpent({ spentNanoUsd, maxBudgetNanoUsd }: KeyRow): boolean {
  return maxBudgetNanoUsd !== null && spentPercent(spentNanoUsd, maxBudgetNanoUsd) === 100;
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
      {formatCost(usage.costNanoUsd)}
      <div className="text-[12.5px] text-ink-2">{formatPlural(usage.requests, 'request')}</div>
    </>
  );
}
