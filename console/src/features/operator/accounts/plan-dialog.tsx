import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '../../../lib/toast.ts';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { formatCost } from '../../../lib/format/money.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { OperatorAccount } from '../operator-types.ts';

interface PlanDialogProps {
  account: OperatorAccount;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Moves an account to another plan, starting with its next request. */
export function PlanDialog({ account, onClose, onCloseAutoFocus }: PlanDialogProps) {
  const [planId, setPlanId] = useState(account.planId);
  const plans = useQuery(trpc.operator.plans.list.queryOptions());
  const change = useMutation(
    trpc.operator.accounts.setPlan.mutationOptions({
      onSuccess: async ({ grantedNanoUsd }) => {
        await queryClient.invalidateQueries(trpc.operator.pathFilter());
        onClose();
        const credit = grantedNanoUsd === '0' ? '' : ` Included credit: ${formatCost(grantedNanoUsd)}.`;
        toast.success(`${account.name} moved to ${planId}`, {
          description: `Applies to the next request.${credit}`,
        });
      },
    }),
  );
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !change.isPending && onClose()}>
      <DialogContent
        title="Change plan"
        description="Limits, models and the multiplier apply to the next request. Included credit is added once."
        className="max-w-[440px]"
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form onSubmit={() => change.mutate({ accountId: account.id, planId })}>
          <DialogBody>
            <Field label="Plan">
              {(control) => (
                <Select {...control} value={planId} onChange={(event) => setPlanId(event.target.value)}>
                  {(plans.data?.plans ?? [{ id: account.planId }]).map(({ id }) => (
                    <option key={id} value={id}>
                      {id}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <FormError message={change.isError ? describeError(change.error) : undefined} />
          </DialogBody>
          <DialogActions disabled={planId === account.planId} isPending={change.isPending}>
            Change plan
          </DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}
