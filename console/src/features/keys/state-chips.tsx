import { Chip } from '../../components/ui/chip.tsx';
import { cn } from '../../lib/cn.ts';
import { spentPercent } from '../../lib/format/money.ts';
import { formatRelative } from '../../lib/format/time.ts';
import type { KeyRow } from '../../lib/trpc.ts';
import { hasEnded, KEY_STATE_LABELS, type KeyState } from './key-state.ts';

export function StateDot({ state }: { state: KeyState }) {
  const isAlive = state === 'active' || state === 'expiring';
  return (
    <span className={cn('size-[7px] shrink-0 rounded-full', isAlive ? 'bg-accent' : 'bg-ink-3')}>
      <span className="sr-only">{KEY_STATE_LABELS[state]}: </span>
    </span>
  );
}

/** When the key ended or will end, if it is not simply active. */
export function StateChip({ row, state, nowMs }: { row: KeyRow; state: KeyState; nowMs: number }) {
  if (state === 'revoked' && row.revokedAt !== null) {
    const word = row.replacedBy === null ? 'revoked' : 'replaced';
    return (
      <Chip tone={row.replacedBy === null ? 'bad' : 'neutral'}>
        {word} {formatRelative(new Date(row.revokedAt), nowMs)}
      </Chip>
    );
  }
  if (row.expiresAt === null) return null;
  const when = formatRelative(new Date(row.expiresAt), nowMs);
  if (state === 'expired')
    return (
      <Chip>
        {row.replacedBy === null ? 'expired' : 'replaced'} {when}
      </Chip>
    );
  if (row.replacedBy !== null) return <Chip tone="warn">replaced, ends {when}</Chip>;
  return state === 'expiring' ? <Chip tone="warn">expires {when}</Chip> : null;
}

/** Marks an active key whose budget is spent: all its requests are rejected. */
export function BudgetChip({ row, state }: { row: KeyRow; state: KeyState }) {
  const { spentNanoUsd, shareNanoUsd } = row;
  if (hasEnded(state) || shareNanoUsd === null || spentPercent(spentNanoUsd, shareNanoUsd) < 100) return null;
  return <Chip tone="bad">budget spent</Chip>;
}
