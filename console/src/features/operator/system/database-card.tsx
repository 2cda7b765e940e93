import { useId } from 'react';
import { Card } from '../../../components/ui/card.tsx';
import { formatCount } from '../../../lib/format/count.ts';
import type { OperatorSystem } from '../operator-types.ts';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { formatBytes } from '../../../lib/format/bytes.ts';

type Relation = OperatorSystem['relations'][number];

/** The largest tables and the latest migration. */
export function DatabaseCard({ system }: { system: OperatorSystem }) {
  const headingId = useId();
  const { database, relations } = system;
  return (
    <Card className="@container">
      <section aria-labelledby={headingId}>
        <div className="border-b px-3.5 py-2.5 max-md:px-2.5">
          <h2 id={headingId} className="font-semibold">
            Database
          </h2>
          <p className="text-[12.5px] text-ink-2">
            The largest tables. Latest of {formatCount(database.migrations)} migrations:{' '}
            <span className="font-mono">{database.migration.replace('.sql', '')}</span>.
          </p>
        </div>
        <DataTable caption="Largest tables" columns={COLUMNS} rows={relations} rowKey={({ name }) => name} />
      </section>
    </Card>
  );
}

const COLUMNS: Column<Relation>[] = [
  {
    head: 'Table',
    className: 'w-full max-w-0 truncate font-mono text-[12.5px]',
    cell: ({ name }) => name,
  },
  {
    head: 'Rows (estimate)',
    kind: 'number',
    cell: ({ rowsAbout }) => (rowsAbout === null ? 'Unknown' : formatCount(rowsAbout)),
  },
  {
    head: 'Size',
    kind: 'number',
    cell: ({ sizeBytes }) => formatBytes(sizeBytes),
  },
];
