import { ExternalLink } from 'lucide-react';
import { receiptPath } from '../../lib/paths.ts';
import { Chip } from '../../components/ui/chip.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { cn } from '../../lib/cn.ts';
import { formatBalance } from '../../lib/format/money.ts';
import type { PaymentRow } from '../../lib/trpc.ts';
import { CELL, HEAD, TOUCHED_LINK } from '../../components/ui/cells.ts';
import { Moment } from '../../components/ui/moment.tsx';
import { PAYMENT_STATES } from './payment-states.ts';

/** Payments, newest first, with a receipt if paid. */
export function PaymentsTable({ payments }: { payments: PaymentRow[] }) {
  return (
    <table className="w-full">
      <caption className="sr-only">Payments, newest first</caption>
      <PaymentsTableHead />
      <tbody className="divide-y">
        {payments.map((payment) => (
          <tr key={payment.id}>
            <th scope="row" className={cn(CELL, 'text-left text-[12.5px] font-normal text-ink-2 @xl:w-px')}>
              <Moment iso={payment.createdAt} />
              <div className="@xl:hidden">{KIND_LABELS[payment.kind]}</div>
            </th>
            <td className={cn(CELL, 'hidden @xl:table-cell')}>{KIND_LABELS[payment.kind]}</td>
            <td className={cn(CELL, 'hidden @xl:table-cell')}>
              <State payment={payment} />
            </td>
            <td className={cn(CELL, 'text-right font-mono text-[12.5px] whitespace-nowrap')}>
              {formatBalance(payment.amountNanoUsd)}
              <div className="grid justify-items-end gap-1 pt-1 font-sans @xl:hidden">
                <State payment={payment} />
                <Receipt payment={payment} />
              </div>
            </td>
            <td className={cn(CELL, 'hidden text-right @xl:table-cell')}>
              <Receipt payment={payment} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function PaymentsTableHead() {
  return (
    <thead>
      <tr className="border-b">
        <th scope="col" className={HEAD}>
          Time
        </th>
        <th scope="col" className={cn(HEAD, 'hidden @xl:table-cell')}>
          Payment
        </th>
        <th scope="col" className={cn(HEAD, 'hidden @xl:table-cell')}>
          State
        </th>
        <th scope="col" className={cn(HEAD, 'text-right')}>
          Amount<span className="@xl:hidden"> and status</span>
        </th>
        <th scope="col" className={cn(HEAD, 'hidden text-right @xl:table-cell')}>
          Receipt
        </th>
      </tr>
    </thead>
  );
}

const KIND_LABELS: Record<PaymentRow['kind'], string> = { checkout: 'Top-up', auto: 'Automatic top-up' };

function State({ payment: { state, failure } }: { payment: PaymentRow }) {
  const { label, tone } = PAYMENT_STATES[state];
  return (
    <>
      <Chip tone={tone}>{label}</Chip>
      {state === 'failed' && failure !== null && (
        <div className="mt-1 text-[12.5px] whitespace-normal text-ink-2">{failure}</div>
      )}
    </>
  );
}

function Receipt({ payment: { id, receiptNumber } }: { payment: PaymentRow }) {
  if (receiptNumber === null) return null;
  return (
    <a
      href={receiptPath(id)}
      target="_blank"
      rel="noopener"
      className={cn(
        TEXT_LINK,
        TOUCHED_LINK,
        'inline-flex items-center gap-1 text-[12.5px] whitespace-nowrap',
      )}
    >
      <span className="sr-only">Receipt </span>
      {receiptNumber}
      <ExternalLink aria-hidden className="size-3" />
    </a>
  );
}
