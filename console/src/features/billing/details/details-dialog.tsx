import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { CountrySelect } from '../../../components/ui/country-select.tsx';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { Textarea } from '../../../components/ui/textarea.tsx';
import { applyServerErrors } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { trpc, type BillingDetails } from '../../../lib/trpc.ts';

const FIELDS = ['companyName', 'address', 'country', 'taxId'] as const;

interface DetailsDialogProps {
  accountId: string;
  details: BillingDetails;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Changes what later receipts are addressed to. */
export function DetailsDialog({ accountId, details, onClose, onCloseAutoFocus }: DetailsDialogProps) {
  const form = useForm({ defaultValues: { ...details, country: details.country ?? '' } });
  const save = useMutation(
    trpc.billingDetails.set.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.billingDetails.pathFilter());
        toast.success('Billing details saved');
        onClose();
      },
      onError: (error) =>
        applyServerErrors(
          form,
          error,
          (path) => FIELDS.find((field) => path === field || path === `details.${field}`) ?? null,
        ),
    }),
  );
  const { errors } = form.formState;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !save.isPending && onClose()}>
      <DialogContent
        title="Billing details"
        description="Printed on later receipts and on statements. Receipts that were issued do not change."
        className="max-w-[480px]"
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form
          onSubmit={form.handleSubmit(({ country, ...rest }) =>
            save.mutate({ accountId, details: { ...rest, country: country === '' ? null : country } }),
          )}
        >
          <DialogBody>
            <Field label="Company name" error={errors.companyName?.message}>
              {(control) => (
                <Input {...control} {...form.register('companyName')} autoComplete="organization" />
              )}
            </Field>
            <Field label="Address" hint="Without the country. Up to 6 lines." error={errors.address?.message}>
              {(control) => (
                <Textarea {...control} {...form.register('address')} rows={3} autoComplete="street-address" />
              )}
            </Field>
            <Field label="Country" error={errors.country?.message}>
              {(control) => (
                <CountrySelect
                  {...control}
                  {...form.register('country')}
                  none="Not given"
                  autoComplete="country"
                />
              )}
            </Field>
            <Field label="Tax ID" hint="For example a VAT number. Optional." error={errors.taxId?.message}>
              {(control) => <Input {...control} {...form.register('taxId')} autoComplete="off" />}
            </Field>
            <FormError message={errors.root?.message} />
          </DialogBody>
          <DialogActions isPending={save.isPending}>Save changes</DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}
