import { useMutation } from '@tanstack/react-query';
import { toast } from '../../../lib/toast.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import type { OperatorPlan } from '../operator-types.ts';

interface RemovePlanDialogProps {
  plan: OperatorPlan;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

export function RemovePlanDialog({ plan, onClose, onCloseAutoFocus }: RemovePlanDialogProps) {
  const remove = useMutation(
    trpc.operator.plans.remove.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.operator.plans.pathFilter());
        onClose();
        toast.success(`Plan ${plan.id} removed`);
      },
    }),
  );
  return (
    <ConfirmDialog
      title={`Remove plan ${plan.id}?`}
      description="No account uses it. Credit that it added is kept."
      name={plan.id}
      action="Remove plan"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id: plan.id })}
      onClose={onClose}
      onCloseAutoFocus={onCloseAutoFocus}
    />
  );
}
