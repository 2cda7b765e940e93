import { Receipt as ReceiptIcon } from 'lucide-react';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { formatBalance } from '../../lib/format/money.ts';
import type { PaymentRow } from '../../lib/trpc.ts';
import { uniqueById } from '../../lib/unique-by-id.ts';
import { Moment } from '../../components/ui/moment.tsx';
import { DocumentLink } from './document-link.tsx';
import { PAYMENT_STATE_LOOKS } from './payment-states.ts';
import { usePayments } from './use-billing.ts';

/** Payments, newest first, with their receipts and credit notes. */
export function PaymentsTable({ accountId }: { accountId: string }) {
  const list = usePayments(accountId);
  return (
    <DataTable
      list={list}
      failure="The payments could not be loaded"
      caption="Payments, newest first"
      columns={COLUMNS}
      rows={uniqueById(list.data?.pages.flatMap((page) => page.payments) ?? [])}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={ReceiptIcon} title="No payments yet">
          Payments appear here with their status and receipt.
        </EmptyState>
      }
    />
  );
}

const KIND_LABELS: Record<PaymentRow['kind'], string> = { checkout: 'Top-up', auto: 'Automatic top-up' };

const COLUMNS: Column<PaymentRow>[] = [
  { head: 'Time', kind: 'time', width: '@xl:w-px', cell: ({ createdAt }) => <Moment iso={createdAt} /> },
  {
    head: 'Payment',
    from: 'xl',
    cell: ({ kind }) => KIND_LABELS[kind],
    folded: ({ kind }) => KIND_LABELS[kind],
  },
  {
    head: 'Status',
    from: 'xl',
    cell: (payment) => <State payment={payment} />,
    folded: (payment) => (
      <div className="mt-1">
        <State payment={payment} />
      </div>
    ),
  },
  { head: 'Amount', kind: 'money', cell: ({ amountNanoUsd }) => formatBalance(amountNanoUsd) },
  {
    head: 'Receipts',
    kind: 'number',
    from: 'xl',
    cell: (payment) => <Receipts payment={payment} />,
    folded: (payment) => (
      <div className="mt-1">
        <Receipts payment={payment} />
      </div>
    ),
  },
];

function State({ payment: { state, failure } }: { payment: PaymentRow }) {
  const { label, tone } = PAYMENT_STATE_LOOKS[state];
  return (
    <>
      <Chip tone={tone}>{label}</Chip>
      {state === 'failed' && failure !== null && (
        <div className="mt-1 text-[12.5px] whitespace-normal text-ink-2">{failure}</div>
      )}
    </>
  );
}

function Receipts({ payment: { id, receiptNumber, corrections } }: { payment: PaymentRow }) {
  if (receiptNumber === null) return null;
  return (
    <div className="grid gap-1 justify-items-start @xl:justify-items-end">
      <DocumentLink id={id} kind="receipt" number={receiptNumber} />
      {corrections.map((document) => (
        <DocumentLink key={document.id} {...document} />
      ))}
    </div>
  );
}
