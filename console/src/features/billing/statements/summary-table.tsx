import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import type { Statement } from '../../../lib/trpc.ts';
import { ExactAmount } from './exact-amount.tsx';

interface Line {
  name: string;
  nanoUsd: string;
  isChange: boolean;
}

/** Labels of the sums, in the order of a statement. */
const SUMS = [
  ['top_up', 'Top-ups'],
  ['credit', 'Credit'],
  ['usage', 'Usage'],
  ['adjustment', 'Adjustments'],
  ['refund', 'Refunds'],
  ['dispute', 'Payments disputed'],
  ['dispute_won', 'Disputes won'],
] as const satisfies readonly (readonly [keyof Statement['sums'], string])[];

/** From the opening balance to the closing balance. */
export function SummaryTable({ statement }: { statement: Statement }) {
  const changes = SUMS.map(([kind, name]) => ({ name, nanoUsd: statement.sums[kind], isChange: true }));
  const closing = statement.state === 'final' ? 'Closing balance' : 'Balance so far';
  return (
    <DataTable
      caption="Summary"
      isCaptionShown
      header="hidden"
      columns={COLUMNS}
      rows={[
        { name: 'Opening balance', nanoUsd: statement.openingNanoUsd, isChange: false },
        ...changes.filter(({ name, nanoUsd }) => nanoUsd !== '0' || name === 'Top-ups' || name === 'Usage'),
      ]}
      foot={[{ name: closing, nanoUsd: statement.closingNanoUsd, isChange: false }]}
      rowKey={({ name }) => name}
    />
  );
}

const COLUMNS: Column<Line>[] = [
  { head: 'Description', isRowHead: true, kind: 'main', cell: ({ name }) => name },
  {
    head: 'Amount',
    kind: 'money',
    cell: ({ nanoUsd, isChange }) => <ExactAmount nanoUsd={nanoUsd} isChange={isChange} />,
  },
];
