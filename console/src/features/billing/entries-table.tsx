import { ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Moment } from '../../components/ui/moment.tsx';
import { DecimalAligned } from '../../components/ui/decimal-aligned.tsx';
import { cn } from '../../lib/cn.ts';
import { formatBalance } from '../../lib/format/money.ts';
import { formatHour } from '../../lib/format/moment.ts';
import type { Billing, EntryRow } from '../../lib/trpc.ts';
import { uniqueById } from '../../lib/unique-by-id.ts';
import { formatChange, subtractAmount } from './amount.ts';
import { DocumentLink } from './document-link.tsx';
import { ENTRY_LABELS } from '@tollgate/core/money/entry-labels';
import { useEntries } from './use-billing.ts';

/** A ledger entry, or the usage that is not posted yet. */
interface Movement {
  id: string;
  /** null: not posted yet. */
  at: string | null;
  label: string;
  detail: ReactNode;
  changeNanoUsd: string;
  /** The resulting balance. */
  balanceNanoUsd: string;
}

/** Ledger entries, newest first, each with the resulting balance. */
export function EntriesTable({ accountId, billing }: { accountId: string; billing: Billing }) {
  const list = useEntries(accountId);
  const entries = uniqueById(list.data?.pages.flatMap((page) => page.entries) ?? []);
  return (
    <DataTable
      list={list}
      failure="The activity could not be loaded"
      caption="Balance activity, newest first"
      columns={COLUMNS}
      rows={[...listPending(billing), ...entries.map(toMovement)]}
      rowKey={({ id }) => id}
      rowClassName={({ at }) => (at === null ? 'text-ink-2' : undefined)}
      empty={
        <EmptyState icon={ScrollText} title="No activity yet">
          Top-ups, credit and hourly usage appear here, each with the resulting balance.
        </EmptyState>
      }
    />
  );
}

function listPending({ unpostedNanoUsd, availableNanoUsd }: Billing): Movement[] {
  if (BigInt(unpostedNanoUsd) === 0n) return [];
  return [
    {
      id: 'pending',
      at: null,
      label: 'Pending usage',
      detail: <div className="text-[12.5px] text-ink-3">Posted every hour, one entry per key</div>,
      changeNanoUsd: subtractAmount('0', unpostedNanoUsd),
      balanceNanoUsd: availableNanoUsd,
    },
  ];
}

function toMovement(entry: EntryRow): Movement {
  const { id, at, kind, changeNanoUsd, balanceAfterNanoUsd } = entry;
  return {
    id,
    at,
    label: ENTRY_LABELS[kind].one,
    detail: <EntryDetail entry={entry} />,
    changeNanoUsd,
    balanceNanoUsd: balanceAfterNanoUsd,
  };
}

/** Decimals of a nano-dollar. */
const EXACT_DECIMALS = 9;

const COLUMNS: Column<Movement>[] = [
  {
    head: 'Time',
    kind: 'time',
    from: 'xl',
    cell: ({ at }) => (at === null ? 'Now' : <Moment iso={at} />),
    folded: ({ at }) => at !== null && <Moment iso={at} />,
  },
  {
    head: 'Description',
    kind: 'main',
    isRowHead: true,
    cell: ({ label, detail }) => (
      <>
        <div className="truncate">{label}</div>
        {detail}
      </>
    ),
  },
  {
    head: 'Amount',
    headContent: (
      <>
        Amount<span className="@xl:hidden"> and balance</span>
      </>
    ),
    kind: 'money',
    cell: ({ changeNanoUsd, balanceNanoUsd }) => (
      <>
        <span className={cn(BigInt(changeNanoUsd) > 0n && 'text-accent')}>
          <DecimalAligned text={formatChange(changeNanoUsd)} decimals={EXACT_DECIMALS} />
        </span>
        <div className="text-ink-3 @xl:hidden">
          <span className="sr-only">balance </span>
          <DecimalAligned text={formatBalance(balanceNanoUsd)} decimals={EXACT_DECIMALS} />
        </div>
      </>
    ),
  },
  {
    head: 'Balance',
    kind: 'money',
    from: 'xl',
    cell: ({ balanceNanoUsd }) => (
      <DecimalAligned text={formatBalance(balanceNanoUsd)} decimals={EXACT_DECIMALS} />
    ),
  },
];

function EntryDetail({ entry }: { entry: EntryRow }) {
  const { keyId, keyName, usageHour, reason, document } = entry;
  const line = 'text-[12.5px] break-words text-ink-2 @xl:truncate';
  if (keyId !== null) {
    return (
      <div className={line} title={keyName ?? keyId}>
        {keyName ?? keyId}
        {usageHour !== null && `, ${formatHour(new Date(usageHour))}`}
      </div>
    );
  }
  return (
    <>
      {document !== null && (
        <div className="text-[12.5px]">
          <DocumentLink {...document} />
        </div>
      )}
      {reason !== null && (
        <div className={line} title={reason}>
          {reason}
        </div>
      )}
    </>
  );
}
