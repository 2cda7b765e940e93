import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Controller, useForm, type Control } from 'react-hook-form';
import { Checkbox } from '../../components/ui/checkbox.tsx';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../components/ui/dialog.tsx';
import { Form } from '../../components/ui/form.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { Note } from '../../components/ui/note.tsx';
import { applyServerErrors, fieldNamed } from '../../lib/api-error.ts';
import { trpc, type Billing } from '../../lib/trpc.ts';
import { AmountField } from './amount-field.tsx';
import { describeMethod } from './describe-method.ts';
import { getRange, topUpSchema, type TopUp, type TopUpForm } from './top-up-form.ts';

interface TopUpDialogProps {
  accountId: string;
  billing: Billing;
  /** Preselects saving the card, for automatic top-ups. */
  isSavingCard: boolean;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Validates an amount and redirects to the payment page. */
export function TopUpDialog(props: TopUpDialogProps) {
  const { accountId, billing, isSavingCard, onClose, onCloseAutoFocus } = props;
  const range = getRange(billing);
  const form = useForm<TopUpForm, unknown, TopUp>({
    resolver: zodResolver(topUpSchema(range)),
    defaultValues: { amountUsd: '', saveMethod: isSavingCard },
  });
  const topUp = useMutation(
    trpc.billing.topUp.mutationOptions({
      onSuccess: ({ url }) => location.assign(url),
      onError: (error) => applyServerErrors(form, error, fieldNamed('amountUsd')),
    }),
  );
  const { reset } = topUp;
  useReturnByHistory(reset);
  // The response redirects; keep the button pending until then.
  const isLeaving = topUp.isPending || topUp.isSuccess;
  const { errors } = form.formState;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !isLeaving && onClose()}>
      <DialogContent
        title="Top up"
        description="Your balance pays for requests from all keys. You will continue on the payment page."
        className="max-w-[480px]"
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form onSubmit={form.handleSubmit((values) => topUp.mutate({ accountId, ...values }))}>
          <DialogBody>
            {billing.payments.mode === 'test' && (
              <Note tone="warn">
                Test payments: no payment provider is set up. You are not charged, and the credit works only
                here.
              </Note>
            )}
            <AmountField form={form} range={range} billing={billing} />
            <SaveCardField control={form.control} billing={billing} />
            <FormError message={errors.root?.message} />
          </DialogBody>
          <DialogActions isPending={isLeaving}>Continue to payment</DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}

/** Resets the pending button when the browser restores the page from its cache. */
function useReturnByHistory(run: () => void): void {
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && run();
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, [run]);
}

interface SaveCardFieldProps {
  control: Control<TopUpForm, unknown, TopUp>;
  billing: Billing;
}

function SaveCardField({ control, billing: { savedMethod, autoTopUp } }: SaveCardFieldProps) {
  return (
    <Controller
      control={control}
      name="saveMethod"
      render={({ field }) => (
        <Checkbox
          label={
            savedMethod === null
              ? 'Save the card for automatic top-ups'
              : `Save the card and replace ${describeMethod(savedMethod)}`
          }
          hint={
            autoTopUp?.enabled === true
              ? 'Automatic top-ups use the card saved last.'
              : 'The payment provider stores your card. It is not charged automatically until you turn on automatic top-ups.'
          }
          checked={field.value}
          onCheckedChange={field.onChange}
        />
      )}
    />
  );
}
