import { Chip } from '../../../components/ui/chip.tsx';
import { Tooltip } from '../../../components/ui/tooltip.tsx';
import type { StatementRow } from '../../../lib/trpc.ts';
import { formatUtcShort } from './describe-month.ts';

const STATES = {
  open: { label: 'In progress', tone: 'neutral' },
  closing: { label: 'Closing', tone: 'warn' },
  final: { label: 'Final', tone: 'ok' },
} as const;

/** Whether the amounts of a statement can still change. */
export function StatementState({ statement }: { statement: Pick<StatementRow, 'state' | 'finalAt'> }) {
  const { label, tone } = STATES[statement.state];
  if (statement.state === 'final') return <Chip tone={tone}>{label}</Chip>;
  return (
    <Tooltip content={`Final on ${formatUtcShort(statement.finalAt)} UTC`}>
      <button type="button" className="cursor-default rounded-sm">
        <Chip tone={tone}>{label}</Chip>
      </button>
    </Tooltip>
  );
}
