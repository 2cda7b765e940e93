import { ENTRY_LABELS, listShownKinds } from '@tollgate/core/money/entry-labels';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import type { Statement } from '../../../lib/trpc.ts';
import { subtractAmount } from '../amount.ts';
import { ExactAmount } from './exact-amount.tsx';

interface Line {
  name: string;
  nanoUsd: string;
  isChange: boolean;
}

/** From the opening balance to the closing balance. */
export function SummaryTable({ statement }: { statement: Statement }) {
  const { sums, pending } = statement;
  const changes = listShownKinds(sums).map((kind) => ({
    name: ENTRY_LABELS[kind].sum,
    nanoUsd: sums[kind],
    isChange: true,
  }));
  const closing = statement.state === 'final' ? 'Closing balance' : 'Balance so far';
  return (
    <DataTable
      caption="Summary"
      isCaptionShown
      header="hidden"
      columns={COLUMNS}
      rows={[{ name: 'Opening balance', nanoUsd: statement.openingNanoUsd, isChange: false }, ...changes]}
      foot={[
        { name: closing, nanoUsd: statement.closingNanoUsd, isChange: false },
        ...(pending === null ? [] : listPending(pending)),
      ]}
      rowKey={({ name }) => name}
    />
  );
}

/** Amounts that are not in the ledger yet. */
function listPending({ usageNanoUsd, heldNanoUsd }: NonNullable<Statement['pending']>): Line[] {
  return [
    { name: 'Pending usage', nanoUsd: subtractAmount('0', usageNanoUsd), isChange: true },
    { name: 'On hold for requests in progress', nanoUsd: subtractAmount('0', heldNanoUsd), isChange: true },
  ];
}

const COLUMNS: Column<Line>[] = [
  { head: 'Description', isRowHead: true, kind: 'main', cell: ({ name }) => name },
  {
    head: 'Amount',
    kind: 'money',
    cell: ({ nanoUsd, isChange }) => <ExactAmount nanoUsd={nanoUsd} isChange={isChange} />,
  },
];
