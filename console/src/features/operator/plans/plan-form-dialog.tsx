import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { Controller, useForm, type UseFormReturn } from 'react-hook-form';
import { toast } from 'sonner';
import { Checkbox } from '../../../components/ui/checkbox.tsx';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { MoneyInput } from '../../../components/ui/money-input.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { applyServerErrors, fieldNamed } from '../../../lib/api-error.ts';
import { formatPlural } from '../../../lib/format/count.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { OperatorPlan } from '../operator-types.ts';
import { planFormOf, planFormSchema, type PlanForm, type PlanFormResult } from './plan-form.ts';
import { PlanModels } from './plan-models.tsx';

interface PlanFormDialogProps {
  /** null for a new plan. */
  plan: OperatorPlan | null;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

type PlanFormHandle = UseFormReturn<PlanForm, unknown, PlanFormResult>;

export function PlanFormDialog({ plan, onClose, onCloseAutoFocus }: PlanFormDialogProps) {
  const form: PlanFormHandle = useForm({
    resolver: zodResolver(planFormSchema),
    defaultValues: planFormOf(plan),
  });
  const options = {
    onSuccess: async () => {
      await queryClient.invalidateQueries(trpc.operator.plans.pathFilter());
      onClose();
      toast.success(plan === null ? 'Plan created' : `Plan ${plan.id} updated`);
    },
    onError: (error: unknown) => applyServerErrors(form, error, FIELD_OF),
  };
  const add = useMutation(trpc.operator.plans.add.mutationOptions(options));
  const change = useMutation(trpc.operator.plans.change.mutationOptions(options));
  const isPending = add.isPending || change.isPending;
  const submit = ({ id, ...terms }: PlanFormResult) => (plan === null ? add : change).mutate({ id, terms });
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !isPending && onClose()}>
      <DialogContent
        title={plan === null ? 'New plan' : `Edit ${plan.id}`}
        description={describe(plan)}
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form onSubmit={form.handleSubmit(submit)}>
          <DialogBody>
            {plan === null && (
              <Field label="Name" hint="Can't be changed later." error={form.formState.errors.id?.message}>
                {(control) => <Input {...control} {...form.register('id')} placeholder="team" />}
              </Field>
            )}
            <PlanFields form={form} />
            <FormError message={form.formState.errors.root?.message} />
          </DialogBody>
          <DialogActions isPending={isPending}>
            {plan === null ? 'Create plan' : 'Save changes'}
          </DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}

const FIELD_OF = fieldNamed('id', 'allowedModels', 'rpm', 'tpm', 'priceMultiplier', 'includedCreditUsd');

function describe(plan: OperatorPlan | null): string {
  if (plan === null) return 'Assign it to accounts on their pages.';
  return `Used by ${formatPlural(plan.accounts, 'account')}. Changes apply to their next request.`;
}

function PlanFields({ form }: { form: PlanFormHandle }) {
  const { errors } = form.formState;
  return (
    <>
      <div className="grid gap-[15px] sm:grid-cols-2">
        <Field label="Requests per minute" hint="Leave empty for no limit" error={errors.rpm?.message}>
          {(control) => <Input {...control} {...form.register('rpm')} inputMode="numeric" />}
        </Field>
        <Field label="Tokens per minute" hint="Leave empty for no limit" error={errors.tpm?.message}>
          {(control) => <Input {...control} {...form.register('tpm')} inputMode="numeric" />}
        </Field>
        <Field
          label="Price multiplier"
          hint="1.2 adds 20% to model prices"
          error={errors.priceMultiplier?.message}
        >
          {(control) => <Input {...control} {...form.register('priceMultiplier')} inputMode="decimal" />}
        </Field>
        <Field
          label="Included credit in USD"
          hint="Added once per account"
          error={errors.includedCreditUsd?.message}
        >
          {(control) => <MoneyInput {...control} {...form.register('includedCreditUsd')} />}
        </Field>
      </div>
      <Controller
        control={form.control}
        name="isPrepaid"
        render={({ field }) => (
          <Checkbox
            label="Prepaid"
            hint="Requests are charged to the balance. If off, usage is recorded but not charged."
            checked={field.value}
            onCheckedChange={field.onChange}
          />
        )}
      />
      <Field
        label="Unknown request fields"
        hint="Unknown fields may change the model or the price."
        error={errors.forwardsUnknown?.message}
      >
        {(control) => (
          <Select {...control} {...form.register('forwardsUnknown')}>
            <option value="auto">Drop if the plan charges money</option>
            <option value="drop">Always drop</option>
            <option value="forward">Always forward</option>
          </Select>
        )}
      </Field>
      <Controller
        control={form.control}
        name="allowedModels"
        render={({ field }) => (
          <PlanModels chosen={field.value} error={errors.allowedModels?.message} onChange={field.onChange} />
        )}
      />
    </>
  );
}
