import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form';
import { Button } from '../../components/ui/button.tsx';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../components/ui/dialog.tsx';
import { Field } from '../../components/ui/field.tsx';
import { Form } from '../../components/ui/form.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { MoneyInput } from '../../components/ui/money-input.tsx';
import { applyServerErrors, fieldNamed } from '../../lib/api-error.ts';
import { formatCap, formatPrice } from '../../lib/format/money.ts';
import { queryClient } from '../../lib/query-client.ts';
import { trpc, type Billing } from '../../lib/trpc.ts';
import { autoTopUpSchema, type Terms, type TermsForm } from './auto-top-up-form.ts';
import { describeMethod } from './describe-method.ts';
import { TaxLines } from './tax-lines.tsx';
import { getRange, readPayment, type AmountRange } from './top-up-form.ts';

interface AutoTopUpDialogProps {
  accountId: string;
  billing: Billing;
  savedMethod: NonNullable<Billing['savedMethod']>;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Threshold and amount of automatic top-ups. */
export function AutoTopUpDialog(props: AutoTopUpDialogProps) {
  const { accountId, billing, savedMethod, onClose, onCloseAutoFocus } = props;
  const range = getRange(billing);
  const { autoTopUp } = billing;
  const isOn = autoTopUp?.enabled === true;
  const form = useForm<TermsForm, unknown, Terms>({
    resolver: zodResolver(autoTopUpSchema(range)),
    defaultValues: {
      thresholdUsd: autoTopUp?.thresholdUsd ?? '',
      amountUsd: autoTopUp?.amountUsd ?? '',
      monthlyMaxUsd: autoTopUp?.monthlyMaxUsd ?? '',
    },
  });
  const save = useMutation(
    trpc.billing.setAutoTopUp.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.billing.pathFilter());
        onClose();
      },
      onError: (error) =>
        applyServerErrors(form, error, fieldNamed('thresholdUsd', 'amountUsd', 'monthlyMaxUsd')),
    }),
  );
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !save.isPending && onClose()}>
      <DialogContent
        title="Automatic top-up"
        description={`${describeMethod(savedMethod)} is charged automatically when the balance runs low.`}
        className="max-w-[480px]"
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form onSubmit={form.handleSubmit((values) => save.mutate({ accountId, enabled: true, ...values }))}>
          <DialogBody>
            <TermsFields form={form} range={range} billing={billing} />
            <FormError message={form.formState.errors.root?.message} />
          </DialogBody>
          <DialogActions
            aside={
              isOn && autoTopUp !== null ? (
                <Button
                  className="mr-auto"
                  isPending={save.isPending && !save.variables.enabled}
                  onClick={() => save.mutate({ accountId, ...getTerms(autoTopUp), enabled: false })}
                >
                  Turn off
                </Button>
              ) : null
            }
            isPending={save.isPending && save.variables.enabled}
          >
            {isOn ? 'Save changes' : 'Turn on'}
          </DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}

function getTerms({ thresholdUsd, amountUsd, monthlyMaxUsd }: NonNullable<Billing['autoTopUp']>) {
  return { thresholdUsd, amountUsd, monthlyMaxUsd };
}

interface TermsFieldsProps {
  form: UseFormReturn<TermsForm, unknown, Terms>;
  range: AmountRange;
  billing: Billing;
}

function TermsFields({ form, range, billing }: TermsFieldsProps) {
  const { errors } = form.formState;
  const { autoTopUp, taxes } = billing;
  const credit = readPayment(useWatch({ control: form.control, name: 'amountUsd' }), range);
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="When the balance falls below" error={errors.thresholdUsd?.message}>
          {(control) => <MoneyInput {...control} {...form.register('thresholdUsd')} placeholder="5" />}
        </Field>
        <Field
          label="Top-up amount"
          hint={`From ${formatCap(range.minNanoUsd.toString())} to ${formatCap(range.maxNanoUsd.toString())}`}
          error={errors.amountUsd?.message}
        >
          {(control) => <MoneyInput {...control} {...form.register('amountUsd')} placeholder="20" />}
        </Field>
      </div>
      {credit.ok && taxes.mode === 'on_top' && <TaxLines creditNanoUsd={credit.amount} taxes={taxes} />}
      <Field
        label="Monthly maximum (optional)"
        hint={`${formatPrice(autoTopUp?.chargedThisMonthUsd ?? '0')} charged automatically this month (UTC)`}
        error={errors.monthlyMaxUsd?.message}
      >
        {(control) => (
          <MoneyInput {...control} {...form.register('monthlyMaxUsd')} placeholder="No maximum" />
        )}
      </Field>
      <p className="text-[13px] text-ink-2">
        Set the threshold high enough to cover usage until the charge completes. You get a receipt by email.
        After three failed charges in a row, automatic top-up is turned off and we email you.
      </p>
    </>
  );
}
