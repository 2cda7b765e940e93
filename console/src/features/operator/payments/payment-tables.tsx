import { useId, type ReactNode } from 'react';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { cn } from '../../../lib/cn.ts';
import { formatBalance } from '../../../lib/format/money.ts';
import { formatChange } from '../../billing/amount.ts';
import { ENTRY_LABELS } from '@tollgate/core/money/entry-labels';
import { Moment } from '../../../components/ui/moment.tsx';
import { RefundState } from './refund-state.tsx';
import type { OperatorPaymentDetail } from '../operator-types.ts';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';

type Entry = OperatorPaymentDetail['entries'][number];
type Reversal = OperatorPaymentDetail['reversals'][number];

/** A card of the payment page with a heading. */
export function PaymentPart({ title, children }: { title: string; children: ReactNode }) {
  const headingId = useId();
  return (
    <Card className="@container">
      <section aria-labelledby={headingId}>
        <h2 id={headingId} className="border-b px-3.5 py-2.5 font-semibold max-md:px-2.5">
          {title}
        </h2>
        {children}
      </section>
    </Card>
  );
}

/** Text of an empty card. */
export function EmptyText({ children }: { children: ReactNode }) {
  return <p className="px-3.5 py-4 text-[13px] text-ink-2 max-md:px-2.5">{children}</p>;
}

export function PaymentEntries({ entries }: { entries: Entry[] }) {
  return (
    <PaymentPart title="Ledger entries">
      <DataTable
        caption="Ledger entries, oldest first"
        columns={ENTRIES}
        rows={entries}
        rowKey={({ id }) => id}
        empty={<EmptyText>No funds were received.</EmptyText>}
      />
    </PaymentPart>
  );
}

export function PaymentReversals({ payment }: { payment: OperatorPaymentDetail }) {
  const { reversals } = payment;
  return (
    <PaymentPart title="Refunds and disputes">
      <DataTable
        caption="Refunds and disputes, oldest first"
        columns={REVERSALS}
        rows={reversals}
        rowKey={({ id }) => id}
        empty={<EmptyText>No refunds or disputes.</EmptyText>}
      />
      <RefundState payment={payment} />
    </PaymentPart>
  );
}

const ENTRIES: Column<Entry>[] = [
  {
    head: 'Entry',
    kind: 'main',
    cell: ({ kind, id }) => (
      <>
        <div>{ENTRY_LABELS[kind].one}</div>
        <div className="truncate font-mono text-[12.5px] text-ink-3" title={id}>
          {id}
        </div>
      </>
    ),
  },
  {
    head: 'Time',
    from: 'xl',
    kind: 'time',
    cell: ({ at }) => <Moment iso={at} />,
    folded: ({ at }) => <Moment iso={at} />,
  },
  {
    head: 'Amount',
    kind: 'money',
    cell: ({ changeNanoUsd }) => (
      <span className={cn(BigInt(changeNanoUsd) > 0n && 'text-accent')}>{formatChange(changeNanoUsd)}</span>
    ),
  },
];

const REVERSALS: Column<Reversal>[] = [
  {
    head: 'Type',
    kind: 'main',
    cell: ({ id, kind, state }) => (
      <>
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {kind === 'refund' ? 'Refund' : 'Dispute'}
          {state === 'returned' && <Chip tone="ok">{kind === 'refund' ? 'failed' : 'won'}</Chip>}
        </div>
        <div className="truncate font-mono text-[12.5px] text-ink-3" title={id}>
          {id}
        </div>
      </>
    ),
  },
  {
    head: 'Created',
    from: 'xl',
    kind: 'time',
    cell: ({ createdAt }) => <Moment iso={createdAt} />,
    folded: ({ createdAt }) => <Moment iso={createdAt} />,
  },
  {
    head: 'Amount',
    kind: 'money',
    cell: ({ amountNanoUsd }) => formatBalance(amountNanoUsd),
  },
  {
    head: 'Reversed',
    kind: 'money',
    cell: ({ takenNanoUsd }) => formatBalance(takenNanoUsd),
  },
];
