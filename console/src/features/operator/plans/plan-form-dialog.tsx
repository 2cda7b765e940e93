import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { PLAN_TERMS_FIELDS } from '@tollgate/core/money/plan-terms';
import { useForm } from 'react-hook-form';
import { toast } from '../../../lib/toast.ts';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { useDiscardGuard } from '../../../components/ui/discard-guard.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { applyServerErrors, fieldNamed } from '../../../lib/api-error.ts';
import { formatPlural } from '../../../lib/format/count.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { OperatorPlan } from '../operator-types.ts';
import { PlanFields, type PlanFormHandle } from './plan-fields.tsx';
import { getPlanForm, planFormSchema, type PlanFormResult } from './plan-form.ts';

interface PlanFormDialogProps {
  /** null for a new plan. */
  plan: OperatorPlan | null;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

export function PlanFormDialog({ plan, onClose, onCloseAutoFocus }: PlanFormDialogProps) {
  const form: PlanFormHandle = useForm({
    resolver: zodResolver(planFormSchema),
    defaultValues: getPlanForm(plan),
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
  const guard = useDiscardGuard(onClose, isPending);
  return (
    <Dialog open onOpenChange={guard.onOpenChange}>
      <DialogContent
        onInput={guard.onInput}
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
        {guard.question}
      </DialogContent>
    </Dialog>
  );
}

const FIELD_OF = fieldNamed('id', ...PLAN_TERMS_FIELDS);

function describe(plan: OperatorPlan | null): string {
  if (plan === null) return 'Assign it to accounts on their pages.';
  const users = plan.accounts === 0 ? 'no account' : formatPlural(plan.accounts, 'account');
  return `Used by ${users}. Changes apply to the next request.`;
}
