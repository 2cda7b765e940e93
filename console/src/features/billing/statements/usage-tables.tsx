import { Link } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { TEXT_LINK, TOUCHED_LINK } from '../../../components/ui/text-link.ts';
import { cn } from '../../../lib/cn.ts';
import { formatCount, formatPlural } from '../../../lib/format/count.ts';
import { paths } from '../../../lib/paths.ts';
import type { Statement } from '../../../lib/trpc.ts';
import { subtractAmount } from '../amount.ts';
import { ExactAmount } from './exact-amount.tsx';

interface Charge {
  id: string;
  name: ReactNode;
  requests: number | null;
  chargedNanoUsd: string;
}

/** What each key was charged; the rows add up to the usage of the month. */
export function KeyChargesTable({ statement }: { statement: Statement }) {
  const { usageByKey, otherKeys } = statement;
  const rows = usageByKey.map(({ keyId, keyName, chargedNanoUsd }) => ({
    id: keyId,
    name: <KeyName keyId={keyId} name={keyName} />,
    requests: null,
    chargedNanoUsd,
  }));
  const rest = otherKeys === null ? [] : [toRest(otherKeys, 'more key')];
  return (
    <ChargesTable caption="Usage by key" columns={KEY_COLUMNS} rows={[...rows, ...rest]} {...{ statement }} />
  );
}

/** What each model was charged; the rows add up to the usage of the month. */
export function ModelChargesTable({ statement }: { statement: Statement }) {
  const { usageByModel, otherModels, otherMonthsNanoUsd } = statement;
  const rows = usageByModel.map(({ model, requests, chargedNanoUsd }) => ({
    id: model,
    name: <span className="break-all">{model === '' ? 'Unknown model' : model}</span>,
    requests,
    chargedNanoUsd,
  }));
  const rest = otherModels === null ? [] : [toRest(otherModels, 'more model')];
  const others =
    otherMonthsNanoUsd === '0'
      ? []
      : [
          {
            id: 'other months',
            name: 'Late charges',
            requests: null,
            chargedNanoUsd: otherMonthsNanoUsd,
          },
        ];
  return (
    <>
      <ChargesTable
        caption="Usage by model"
        columns={MODEL_COLUMNS}
        rows={[...rows, ...rest, ...others]}
        statement={statement}
      />
      {others.length > 0 && (
        <p className="border-t px-3.5 py-2.5 text-[12.5px] text-ink-3">
          Late charges are usage of earlier months posted in this month. Usage of this month that was posted
          later is subtracted.
        </p>
      )}
    </>
  );
}

interface ChargesTableProps {
  caption: string;
  columns: Column<Charge>[];
  rows: Charge[];
  statement: Statement;
}

function ChargesTable({ caption, columns, rows, statement }: ChargesTableProps) {
  const total = { id: 'total', name: 'Total', requests: null };
  return (
    <DataTable
      caption={caption}
      isCaptionShown
      columns={columns}
      rows={rows}
      foot={
        rows.length === 0 ? [] : [{ ...total, chargedNanoUsd: subtractAmount('0', statement.sums.usage) }]
      }
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={ChartColumn} title="No usage">
          No usage was charged to the balance in this month.
        </EmptyState>
      }
    />
  );
}

function toRest({ count, nanoUsd }: { count: number; nanoUsd: string }, name: string): Charge {
  const label = `${formatPlural(count, name)}, listed in the CSV`;
  return { id: 'rest', name: label, requests: null, chargedNanoUsd: nanoUsd };
}

function KeyName({ keyId, name }: { keyId: string; name: string | null }) {
  if (name === null) return <span className="font-mono text-[12.5px] break-all">{keyId}</span>;
  return (
    <Link to={paths.key} params={{ keyId }} className={cn(TEXT_LINK, TOUCHED_LINK, 'break-all')}>
      {name}
    </Link>
  );
}

const AMOUNT: Column<Charge> = {
  head: 'Charged',
  kind: 'money',
  cell: ({ chargedNanoUsd }) => <ExactAmount nanoUsd={chargedNanoUsd} />,
};
const KEY_COLUMNS: Column<Charge>[] = [
  { head: 'Key', kind: 'main', isRowHead: true, cell: ({ name }) => name },
  AMOUNT,
];
const MODEL_COLUMNS: Column<Charge>[] = [
  { head: 'Model', kind: 'main', isRowHead: true, cell: ({ name }) => name },
  {
    head: 'Requests',
    kind: 'number',
    from: 'md',
    cell: ({ requests }) => (requests === null ? '' : formatCount(requests)),
  },
  AMOUNT,
];
