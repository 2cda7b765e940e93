import { zodResolver } from '@hookform/resolvers/zod';
import { formatUsd } from '@tollgate/core/money/money';
import { useMutation } from '@tanstack/react-query';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { MoneyInput } from '../../../components/ui/money-input.tsx';
import { Note } from '../../../components/ui/note.tsx';
import { applyServerErrors, fieldNamed } from '../../../lib/api-error.ts';
import { formatBalance } from '../../../lib/format/money.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { trpc } from '../../../lib/trpc.ts';
import { useRequestId } from '../../../lib/use-request-id.ts';
import { readAmount, subtractAmount } from '../../billing/amount.ts';
import type { OperatorPaymentDetail } from '../operator-types.ts';

const NANOS_PER_CENT = 10_000_000n;

function refundSchema(maxNanoUsd: bigint) {
  return z.object({
    amountUsd: z.string().transform((text, context) => {
      const amount = readAmount(text);
      if (amount !== null && amount > 0n && amount <= maxNanoUsd && amount % NANOS_PER_CENT === 0n)
        return formatUsd(amount);
      const message = `Enter an amount up to ${formatBalance(maxNanoUsd.toString())}, with at most two decimals.`;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }),
    reason: z.string().trim().min(1, 'Enter a reason. It is stored with the refund.').max(500),
  });
}

interface RefundDialogProps {
  payment: OperatorPaymentDetail;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Refunds a payment, in part or whole. The button shows the amount. */
export function RefundDialog({ payment, onClose, onCloseAutoFocus }: RefundDialogProps) {
  const maxNanoUsd = BigInt(payment.refundable.amountNanoUsd);
  const form = useForm({
    resolver: zodResolver(refundSchema(maxNanoUsd)),
    defaultValues: { amountUsd: formatUsd(maxNanoUsd), reason: '' },
  });
  const getRequestId = useRequestId();
  const refund = useMutation(
    trpc.operator.payments.refund.mutationOptions({
      onSuccess: async ({ state }, { amountUsd }) => {
        await queryClient.invalidateQueries(trpc.operator.payments.pathFilter());
        onClose();
        if (state === 'made') toast.success(`Refunded $${amountUsd}`, { description: MADE });
        else toast.success('Refund requested', { description: OPEN });
      },
      onError: (error) => {
        // A refused refund is listed on the page.
        void queryClient.invalidateQueries(trpc.operator.payments.pathFilter());
        applyServerErrors(form, error, fieldNamed('amountUsd', 'reason'));
      },
    }),
  );
  const { errors } = form.formState;
  const amountUsd = useWatch({ control: form.control, name: 'amountUsd' });
  const amount = readAmount(amountUsd);
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !refund.isPending && onClose()}>
      <DialogContent
        title="Refund this payment?"
        description={describeRefund(payment)}
        className="max-w-[480px]"
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form
          onSubmit={form.handleSubmit((values) =>
            refund.mutate({ paymentId: payment.id, ...values, requestId: getRequestId(values) }),
          )}
        >
          <DialogBody>
            <Field
              label="Amount in USD"
              hint={`Up to ${formatBalance(payment.refundable.amountNanoUsd)} of ${formatBalance(payment.amountNanoUsd)}`}
              error={errors.amountUsd?.message}
            >
              {(control) => <MoneyInput {...control} {...form.register('amountUsd')} />}
            </Field>
            <Field
              label="Reason"
              hint="Shown to the account's members, in the email and their billing activity."
              error={errors.reason?.message}
            >
              {(control) => <Input {...control} {...form.register('reason')} maxLength={500} />}
            </Field>
            <BalanceNote payment={payment} amount={amount} />
            <FormError message={errors.root?.message} />
          </DialogBody>
          <DialogActions isPending={refund.isPending}>
            {amount === null || amount <= 0n ? 'Refund' : `Refund ${formatBalance(amount.toString())}`}
          </DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}

const MADE = 'The members got an email and a credit note.';
const OPEN = 'The payment provider has not answered yet. The refund is completed automatically.';

function describeRefund({ accountName, addedTaxNanoUsd }: OperatorPaymentDetail): string {
  return addedTaxNanoUsd === '0'
    ? `The amount goes back to the payer’s method and is deducted from the balance of ${accountName}.`
    : `The amount goes back to the payer’s method. Without its taxes, it is deducted from the balance of ${accountName}.`;
}

/** What the account loses, and the balance after the refund, with a warning if it is negative. */
function BalanceNote({ payment, amount }: { payment: OperatorPaymentDetail; amount: bigint | null }) {
  if (amount === null || amount <= 0n) return null;
  // The balance got the payment without its added taxes.
  const share = (BigInt(payment.addedTaxNanoUsd) * amount) / BigInt(payment.amountNanoUsd);
  const tax = ((share + NANOS_PER_CENT / 2n) / NANOS_PER_CENT) * NANOS_PER_CENT;
  const deducted = (amount - tax).toString();
  const after = subtractAmount(payment.availableNanoUsd, deducted);
  const { autoTopUpBelowNanoUsd } = payment;
  return (
    <div className="grid gap-2">
      <output className="grid gap-0.5 text-[13px] text-ink-2">
        {tax > 0n && (
          <span>
            Returned to the payer: <Amount nanoUsd={amount.toString()} />. Deducted from the balance, about:{' '}
            <Amount nanoUsd={deducted} />
          </span>
        )}
        <span>
          {tax > 0n ? 'Balance after the refund, about' : 'Balance after the refund'}:{' '}
          <Amount nanoUsd={after} />
        </span>
      </output>
      {BigInt(after) < 0n && (
        <Note tone="warn" announcedAs="status">
          The balance becomes {formatBalance(after)}. Requests are rejected until the account tops up.
        </Note>
      )}
      {autoTopUpBelowNanoUsd !== null && BigInt(after) < BigInt(autoTopUpBelowNanoUsd) && (
        <Note tone="warn" announcedAs="status">
          The refund also turns off automatic top-up, which charges the card below{' '}
          {formatBalance(autoTopUpBelowNanoUsd)}.
        </Note>
      )}
    </div>
  );
}

function Amount({ nanoUsd }: { nanoUsd: string }) {
  return <b className="font-medium text-ink">{formatBalance(nanoUsd)}</b>;
}
