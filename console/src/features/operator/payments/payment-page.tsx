import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { paths, receiptPath } from '../../../lib/paths.ts';
import { BackLink } from '../../../components/layouts/back-link.tsx';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { formatBalance } from '../../../lib/format/money.ts';
import { returnFocusTo } from '../../../lib/return-focus.ts';
import { trpc } from '../../../lib/trpc.ts';
import { lazyDialog } from '../../../components/ui/lazy-dialog.tsx';
import { TableSkeleton } from '../../../components/ui/table-skeleton.tsx';
import type { OperatorPaymentDetail } from '../operator-types.ts';
import { PaymentEvents } from './payment-events.tsx';
import { PaymentFacts } from './payment-facts.tsx';
import { PaymentEntries, PaymentReversals } from './payment-tables.tsx';

const RefundDialog = lazyDialog(async () => (await import('./refund-dialog.tsx')).RefundDialog);

/** Details of one payment: facts, webhook events, ledger entries and reversals. */
export function OperatorPaymentPage() {
  const [opener, setOpener] = useState<Element | null>(null);
  const { paymentId } = useParams({ from: '/app/operator/payments/$paymentId' });
  const query = useQuery(trpc.operator.payments.get.queryOptions({ paymentId }, { staleTime: 0 }));
  const payment = query.data;
  return (
    <>
      <BackLink to={paths.operatorPayments}>Payments</BackLink>
      <PageHeader
        title={payment === undefined ? 'Payment' : `Payment of ${formatBalance(payment.amountNanoUsd)}`}
        action={
          payment !== undefined && (
            <div className="flex flex-wrap gap-2">
              {payment.receiptNumber !== null && <ReceiptButton payment={payment} />}
              {payment.refundable.obstacle === null && (
                <Button onClick={() => setOpener(document.activeElement)}>Refund…</Button>
              )}
            </div>
          )
        }
      >
        <span className="font-mono text-[12.5px] break-all">{paymentId}</span>
      </PageHeader>
      {query.isPending && (
        <Card className="@container">
          <TableSkeleton />
        </Card>
      )}
      {query.isError && payment === undefined && (
        <Card>
          <ErrorState
            title="The payment could not be loaded"
            error={query.error}
            isRetrying={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        </Card>
      )}
      {payment !== undefined && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <PaymentFacts payment={payment} />
          <PaymentEvents paymentId={payment.id} />
          <PaymentEntries entries={payment.entries} />
          <PaymentReversals payment={payment} />
        </div>
      )}
      {payment !== undefined && opener !== null && (
        <RefundDialog
          payment={payment}
          onClose={() => setOpener(null)}
          onCloseAutoFocus={returnFocusTo(opener)}
        />
      )}
    </>
  );
}

function ReceiptButton({ payment }: { payment: OperatorPaymentDetail }) {
  return (
    <Button asChild>
      <a href={receiptPath(payment.id)} target="_blank" rel="noopener">
        Receipt {payment.receiptNumber}
        <ExternalLink aria-hidden className="size-3.5" />
        <span className="sr-only">(opens in a new tab)</span>
      </a>
    </Button>
  );
}
