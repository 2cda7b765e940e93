import { formatRate } from '@tollgate/core/money/taxes';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { formatBalance } from '../../../lib/format/money.ts';
import type { Statement } from '../../../lib/trpc.ts';

const NANO_USD_PER_CENT = 10_000_000n;

type Tax = Statement['taxes'][number];

/** Taxes of the month's receipts, less those of its credit notes. */
export function TaxesTable({ statement: { taxes } }: { statement: Statement }) {
  return (
    <DataTable
      caption="Taxes of receipts and credit notes"
      isCaptionShown
      columns={COLUMNS}
      rows={taxes}
      rowKey={({ name, ratePpm }) => `${ratePpm} ${name}`}
    />
  );
}

const COLUMNS: Column<Tax>[] = [
  {
    head: 'Tax',
    kind: 'main',
    isRowHead: true,
    cell: ({ name, ratePpm }) => `${name} ${formatRate(ratePpm)}`,
  },
  { head: 'Net amount', kind: 'money', cell: ({ netCents }) => formatCents(netCents) },
  { head: 'Tax amount', kind: 'money', cell: ({ amountCents }) => formatCents(amountCents) },
];

function formatCents(cents: number): string {
  return formatBalance((BigInt(cents) * NANO_USD_PER_CENT).toString());
}
