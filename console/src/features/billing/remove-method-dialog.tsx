import { useMutation } from '@tanstack/react-query';
import { toast } from '../../lib/toast.ts';
import { ConfirmDialog } from '../../components/ui/confirm-dialog.tsx';
import { queryClient } from '../../lib/query-client.ts';
import { trpc, type Billing } from '../../lib/trpc.ts';
import { describeMethod } from './describe-method.ts';

interface RemoveMethodDialogProps {
  accountId: string;
  savedMethod: NonNullable<Billing['savedMethod']>;
  /** Whether automatic top-ups are on; removing the card turns them off. */
  isCharged: boolean;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

export function RemoveMethodDialog(props: RemoveMethodDialogProps) {
  const { accountId, savedMethod, isCharged, onClose, onCloseAutoFocus } = props;
  const remove = useMutation(
    trpc.billing.removeMethod.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.billing.pathFilter());
        onClose();
        toast.success('Card removed');
      },
    }),
  );
  return (
    <ConfirmDialog
      title={`Remove ${describeMethod(savedMethod)}?`}
      description={
        isCharged
          ? 'Automatic top-ups will be turned off. Requests are rejected when the balance is used up. You can save another card at your next top-up.'
          : 'This card will no longer be charged. You can save another card at your next top-up.'
      }
      action={isCharged ? 'Remove card and turn off' : 'Remove card'}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ accountId })}
      onClose={onClose}
      onCloseAutoFocus={onCloseAutoFocus}
    />
  );
}
