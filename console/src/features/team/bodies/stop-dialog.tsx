import { useMutation } from '@tanstack/react-query';
import { toast } from '../../../lib/toast.ts';
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
        toast.success('Request logging turned off. Stored payloads are deleted.');
      },
    }),
  );
  return (
    <ConfirmDialog
      {...rest}
      title="Turn off request logging?"
      description="All stored payloads of this account are deleted immediately. Requests stay in the log with tokens, times and cost."
      name={account.name}
      action="Turn off and delete"
      isPending={stop.isPending}
      error={stop.error}
      onConfirm={() => stop.mutate({ accountId: account.id })}
    />
  );
}
