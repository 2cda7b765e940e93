import { Link } from '@tanstack/react-router';
import type { Column } from '../../components/table/column.ts';
import { ROW_LINK } from '../../components/table/row-link.ts';
import { Chip } from '../../components/ui/chip.tsx';
import { DecimalAligned } from '../../components/ui/decimal-aligned.tsx';
import { RelativeTime } from '../../components/ui/relative-time.tsx';
import { ROUNDED_DECIMALS } from '../../components/ui/rounded-cost.tsx';
import { formatDuration } from '../../lib/format/duration.ts';
import { formatCostRounded } from '../../lib/format/money.ts';
import { paths } from '../../lib/paths.ts';
import type { RequestListRow } from '../../lib/trpc.ts';
import { describeStatus } from './describe-status.ts';

/**
 * Columns of a short list of the newest requests.
 * @param shown the part of the request log that links open
 */
export function recentColumns(shown: { key?: string }, nowMs: number): Column<RequestListRow>[] {
  return [
    {
      head: 'Status',
      width: 'w-[84px]',
      cell: (row) => {
        const { label, tone } = describeStatus(row);
        return <Chip tone={tone}>{label}</Chip>;
      },
    },
    {
      head: 'Model',
      isRowHead: true,
      cell: ({ id, model, errorCode }) => (
        <>
          <Link to={paths.requests} search={{ ...shown, request: id }} className={ROW_LINK}>
            {model ?? 'No model'}
          </Link>
          {errorCode !== null && (
            <span className="block truncate font-mono text-[12px] text-ink-2">{errorCode}</span>
          )}
        </>
      ),
    },
    {
      head: 'Time',
      kind: 'number',
      from: 'lg',
      width: 'w-36',
      className: 'text-[12.5px] text-ink-2',
      cell: ({ startedAt }) => <RelativeTime iso={startedAt} nowMs={nowMs} never="" />,
    },
    {
      head: 'Latency',
      kind: 'number',
      from: 'md',
      width: 'w-24',
      className: 'text-[12.5px]',
      cell: ({ isOpen, latencyMs }) => (isOpen ? '–' : formatDuration(latencyMs)),
    },
    {
      head: 'Cost',
      kind: 'money',
      width: 'w-28',
      cell: ({ isOpen, costNanoUsd }) =>
        isOpen ? '–' : <DecimalAligned text={formatCostRounded(costNanoUsd)} decimals={ROUNDED_DECIMALS} />,
    },
  ];
}
