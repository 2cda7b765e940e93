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
import { rangeOf, topUpSchema, type TopUp, type TopUpForm } from './top-up-form.ts';

interface TopUpDialogProps {
  accountId: string;
  billing: Billing;
  /** Ticks the box that saves the card, where somebody came for automatic top-ups. */
  isSavingCard: boolean;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Asks for an amount, checks it, and leaves for the page where it is paid. */
export function TopUpDialog(props: TopUpDialogProps) {
  const { accountId, billing, isSavingCard, onClose, onCloseAutoFocus } = props;
  const range = rangeOf(billing);
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
  // The page is left as soon as the answer is there: until then the button keeps turning.
  const isLeaving = topUp.isPending || topUp.isSuccess;
  const { errors } = form.formState;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !isLeaving && onClose()}>
      <DialogContent
        title="Top up"
        description="The balance pays for requests of every key. You go to the payment page and come back here."
        className="max-w-[480px]"
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form onSubmit={form.handleSubmit((values) => topUp.mutate({ accountId, ...values }))}>
          <DialogBody>
            {billing.payments.mode === 'test' && (
              <Note tone="warn">
                Test payments: this installation has no payment provider. Nothing is charged, and the credit
                works on this installation alone.
              </Note>
            )}
            <AmountField form={form} range={range} availableNanoUsd={billing.availableNanoUsd} />
            <SaveCardField control={form.control} billing={billing} />
            <FormError message={errors.root?.message} />
          </DialogBody>
          <DialogActions isPending={isLeaving}>Continue to payment</DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}

/** Browsers may bring the page back as it was left, with a button that turns for ever. */
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
              : `Save the card in place of ${describeMethod(savedMethod)}`
          }
          hint={
            autoTopUp?.enabled === true
              ? 'Automatic top-ups charge the card that was saved last.'
              : 'It is kept by the payment provider, never here. Nothing is charged by itself until you turn automatic top-ups on.'
          }
          checked={field.value}
          onCheckedChange={field.onChange}
        />
      )}
    />
  );
}
