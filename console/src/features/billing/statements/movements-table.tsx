import { ScrollText } from 'lucide-react';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { TEXT_LINK, TOUCHED_LINK } from '../../../components/ui/text-link.ts';
import { cn } from '../../../lib/cn.ts';
import { formatPlural } from '../../../lib/format/count.ts';
import { receiptPath } from '../../../lib/paths.ts';
import type { Statement } from '../../../lib/trpc.ts';
import { ENTRY_LABELS } from '@tollgate/core/money/entry-labels';
import { formatUtcShort } from './describe-month.ts';
import { ExactAmount } from './exact-amount.tsx';

type Movement = Statement['movements'][number];

/** Payments, credit, adjustments, refunds and disputes of the month, the oldest first. */
export function MovementsTable({ statement }: { statement: Statement }) {
  const { movements, otherMovements } = statement;
  return (
    <>
      <DataTable
        caption="Payments, credit and adjustments"
        isCaptionShown
        columns={COLUMNS}
        rows={movements}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={ScrollText} title="No payments">
            There were no payments, credits or adjustments in this month.
          </EmptyState>
        }
      />
      {otherMovements !== null && (
        <p className="flex justify-between gap-4 border-t px-3.5 py-2.5 text-ink-2">
          <span>{formatPlural(otherMovements.count, 'more entry', 'more entries')}, all in the CSV</span>
          <span className="font-mono text-[12.5px]">
            <ExactAmount nanoUsd={otherMovements.nanoUsd} isChange />
          </span>
        </p>
      )}
    </>
  );
}

const COLUMNS: Column<Movement>[] = [
  { head: 'Time (UTC)', kind: 'time', from: 'xl', width: '@xl:w-px', cell: ({ at }) => formatUtcShort(at) },
  {
    head: 'Description',
    kind: 'main',
    isRowHead: true,
    cell: (movement) => (
      <>
        <div className="truncate">{ENTRY_LABELS[movement.kind].one}</div>
        <div className="text-[12.5px] text-ink-3 @xl:hidden">{formatUtcShort(movement.at)}</div>
        {movement.reason !== null && (
          <div className="text-[12.5px] break-words whitespace-normal text-ink-2">{movement.reason}</div>
        )}
        <DocumentLink movement={movement} />
      </>
    ),
  },
  {
    head: 'Amount',
    kind: 'money',
    cell: ({ changeNanoUsd }) => <ExactAmount nanoUsd={changeNanoUsd} isChange />,
  },
];

function DocumentLink({ movement: { documentId, documentNumber } }: { movement: Movement }) {
  if (documentId === null || documentNumber === null) return null;
  return (
    <a
      href={receiptPath(documentId)}
      target="_blank"
      rel="noopener"
      className={cn(TEXT_LINK, TOUCHED_LINK, 'inline-flex text-[12.5px]')}
    >
      <span className="sr-only">Document </span>
      {documentNumber}
    </a>
  );
}
