import { useMutation } from '@tanstack/react-query';
import { toast } from 'sonner';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { refreshBodies } from '../../../lib/body-setting.ts';
import { trpc, type Account } from '../../../lib/trpc.ts';

interface StopDialogProps {
  account: Account;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

export function StopDialog({ account, ...rest }: StopDialogProps) {
  const stop = useMutation(
    trpc.bodies.stop.mutationOptions({
      onSuccess: async () => {
        await refreshBodies();
        rest.onClose();
        toast.success('Nothing is kept any more, and what was stored is deleted');
      },
    }),
  );
  return (
    <ConfirmDialog
      {...rest}
      title="Stop keeping bodies?"
      description="What was asked and answered so far is deleted at once, for everybody in the account. The requests themselves stay in the log, with their tokens, times and cost."
      name={account.name}
      action="Delete and stop"
      isPending={stop.isPending}
      error={stop.error}
      onConfirm={() => stop.mutate({ accountId: account.id })}
    />
  );
}
