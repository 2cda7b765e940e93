import { useMutation } from '@tanstack/react-query';
import { toast } from '../../lib/toast.ts';
import { AlertDialog, AlertDialogCancel, AlertDialogContent } from '../../components/ui/alert-dialog.tsx';
import { Button } from '../../components/ui/button.tsx';
import { DialogBody, DialogFooter } from '../../components/ui/dialog.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { describeError } from '../../lib/api-error.ts';
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
    <AlertDialog open onOpenChange={(isOpen) => !isOpen && !remove.isPending && onClose()}>
      <AlertDialogContent
        title={`Remove ${describeMethod(savedMethod)}?`}
        description={
          isCharged
            ? 'Automatic top-ups will be turned off. Requests are refused when the balance is used up. You can save another card at your next top-up.'
            : 'This card will no longer be charged. You can save another card at your next top-up.'
        }
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <DialogBody>
          <FormError message={remove.isError ? describeError(remove.error) : undefined} />
        </DialogBody>
        <DialogFooter>
          <AlertDialogCancel asChild>
            <Button disabled={remove.isPending}>Cancel</Button>
          </AlertDialogCancel>
          <Button variant="danger" isPending={remove.isPending} onClick={() => remove.mutate({ accountId })}>
            {isCharged ? 'Remove card and turn off' : 'Remove card'}
          </Button>
        </DialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
