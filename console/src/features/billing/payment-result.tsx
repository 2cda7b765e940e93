import { useNavigate } from '@tanstack/react-router';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { receiptPath } from '../../lib/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { Note } from '../../components/ui/note.tsx';
import { Spinner } from '../../components/ui/spinner.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { describeError, errorCode } from '../../lib/api-error.ts';
import { formatBalance } from '../../lib/format/money.ts';
import type { PaymentRow } from '../../lib/trpc.ts';
import { usePayment } from './use-payment.ts';
import { useIsLate } from './use-is-late.ts';

/** After this time the page explains that some payment methods take minutes or days. */
const LATE_MS = 20_000;

interface PaymentResultProps {
  accountId: string;
  paymentId: string;
  /** null: this person cannot pay. */
  onTryAgain: (() => void) | null;
}

/** Result of the payment that the person returned from. */
export function PaymentResult({ accountId, paymentId, onTryAgain }: PaymentResultProps) {
  const query = usePayment(accountId, paymentId);
  if (query.isPending) return <Banner tone="neutral">Loading the payment…</Banner>;
  if (query.data === undefined) {
    if (errorCode(query.error) !== 'NOT_FOUND')
      return <Banner tone="bad">{describeError(query.error)}</Banner>;
    return <Banner tone="neutral">This payment does not belong to this account.</Banner>;
  }
  const again = onTryAgain !== null && (
    <Button size="sm" onClick={onTryAgain}>
      Try again
    </Button>
  );
  return <Outcome payment={query.data} again={again} />;
}

function Outcome({ payment, again }: { payment: PaymentRow; again: ReactNode }) {
  const amount = <b className="font-semibold">{formatBalance(payment.amountNanoUsd)}</b>;
  switch (payment.state) {
    case 'created':
    case 'pending':
      return <Waiting amount={amount} />;
    case 'paid':
      return (
        <Banner tone="ok">
          {payment.creditNanoUsd === payment.amountNanoUsd ? (
            <>{amount} paid and added to the balance.</>
          ) : (
            <>
              {amount} paid, taxes included. {formatBalance(payment.creditNanoUsd)} was added to the balance.
            </>
          )}
          <ReceiptLink payment={payment} />
        </Banner>
      );
    case 'failed':
      return (
        <Banner tone="bad" action={again}>
          The payment of {amount} failed. You were not charged.
          {payment.failure !== null && ` ${payment.failure}`}
        </Banner>
      );
    case 'expired':
      return (
        <Banner tone="warn" action={again}>
          The payment of {amount} expired. You were not charged.
        </Banner>
      );
    case 'refunded_part':
    case 'refunded':
    case 'disputed':
      return (
        <Banner tone="neutral">
          This payment of {amount} {TAKEN_BACK[payment.state]}.
          <ReceiptLink payment={payment} />
        </Banner>
      );
  }
}

const TAKEN_BACK = {
  refunded_part: 'was partially refunded',
  refunded: 'was refunded',
  disputed: 'is disputed',
} as const;

function Waiting({ amount }: { amount: ReactNode }) {
  const isLate = useIsLate(LATE_MS);
  return (
    <Banner tone="neutral">
      <Spinner className="mr-2 inline-block align-[-3px]" />
      {isLate ? (
        <>
          The payment of {amount} is not confirmed yet. Some payment methods take longer. You can leave this
          page; the payment is listed below.
        </>
      ) : (
        <>Waiting for the payment of {amount} to be confirmed…</>
      )}
    </Banner>
  );
}

function ReceiptLink({ payment: { id, receiptNumber } }: { payment: PaymentRow }) {
  if (receiptNumber === null) return null;
  return (
    <>
      {' '}
      <a href={receiptPath(id)} target="_blank" rel="noopener" className={TEXT_LINK}>
        Receipt {receiptNumber}
      </a>
    </>
  );
}

interface BannerProps {
  tone: 'neutral' | 'ok' | 'warn' | 'bad';
  action?: ReactNode;
  children: ReactNode;
}

/** Closing removes the payment from the URL. */
function Banner({ tone, action, children }: BannerProps) {
  const navigate = useNavigate({ from: '/billing' });
  const close = () =>
    void navigate({
      search: (current) => ({ ...current, payment: undefined }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Note tone={tone} className="flex items-center gap-3 py-2">
      <span role={tone === 'bad' ? 'alert' : 'status'} className="min-w-0 flex-1">
        {children}
      </span>
      {action}
      <Button variant="ghost" size="icon" aria-label="Close" className="-mr-1.5 text-current" onClick={close}>
        <X aria-hidden className="size-4" />
      </Button>
    </Note>
  );
}
