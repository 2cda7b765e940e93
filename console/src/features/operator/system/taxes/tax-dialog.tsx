import { useMutation } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { Checkbox } from '../../../../components/ui/checkbox.tsx';
import { CountrySelect } from '../../../../components/ui/country-select.tsx';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../../components/ui/dialog.tsx';
import { Field } from '../../../../components/ui/field.tsx';
import { Form } from '../../../../components/ui/form.tsx';
import { FormError } from '../../../../components/ui/form-error.tsx';
import { Input } from '../../../../components/ui/input.tsx';
import { applyServerErrors } from '../../../../lib/api-error.ts';
import { queryClient } from '../../../../lib/query-client.ts';
import { trpc, type TaxMode } from '../../../../lib/trpc.ts';

const FIELDS = ['name', 'percent', 'country'] as const;

const DESCRIPTIONS: Record<TaxMode, string> = {
  included: 'Payments after this include the tax. The amount that a customer pays stays the same.',
  on_top: 'The tax is added to payments after this. The credit that a customer gets stays the same.',
  stripe: 'Stripe determines the taxes. This rate is not used until you choose another way.',
};

interface TaxDialogProps {
  mode: TaxMode;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Adds a tax to later payments. */
export function TaxDialog({ mode, onClose, onCloseAutoFocus }: TaxDialogProps) {
  const form = useForm({ defaultValues: { name: '', percent: '', country: '', reverseCharge: false } });
  const add = useMutation(
    trpc.operator.taxes.add.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.operator.taxes.pathFilter());
        onClose();
      },
      onError: (error) =>
        applyServerErrors(form, error, (path) => FIELDS.find((field) => path === field) ?? null),
    }),
  );
  const { errors } = form.formState;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !add.isPending && onClose()}>
      <DialogContent
        title="Add tax rate"
        description={DESCRIPTIONS[mode]}
        className="max-w-[480px]"
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form
          onSubmit={form.handleSubmit(({ country, ...rest }) =>
            add.mutate({ ...rest, country: country === '' ? null : country }),
          )}
        >
          <DialogBody>
            <Field label="Name" hint="As receipts show it, such as VAT." error={errors.name?.message}>
              {(control) => <Input {...control} {...form.register('name')} autoComplete="off" />}
            </Field>
            <Field label="Rate" hint="Percent of the net amount." error={errors.percent?.message}>
              {(control) => (
                <Input {...control} {...form.register('percent')} inputMode="decimal" placeholder="19" />
              )}
            </Field>
            <Field
              label="Customers in"
              hint="If a country has rates, only these apply to its customers."
              error={errors.country?.message}
            >
              {(control) => (
                <CountrySelect {...control} {...form.register('country')} none="All other countries" />
              )}
            </Field>
            <Controller
              control={form.control}
              name="reverseCharge"
              render={({ field }) => (
                <Checkbox
                  label="Reverse charge"
                  hint="Customers with a tax ID pay no tax. Their receipts say that they owe it."
                  checked={field.value}
                  onCheckedChange={field.onChange}
                />
              )}
            />
            <FormError message={errors.root?.message} />
          </DialogBody>
          <DialogActions isPending={add.isPending}>Add tax rate</DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}
