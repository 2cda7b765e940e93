import { useMutation } from '@tanstack/react-query';
import { toast } from '../../../lib/toast.ts';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { refreshResponseSetting } from '../../../lib/response-setting.ts';
import { trpc, type Account } from '../../../lib/trpc.ts';

interface StopDialogProps {
  account: Account;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

export function StopDialog({ account, ...rest }: StopDialogProps) {
  const stop = useMutation(
    trpc.responses.stop.mutationOptions({
      onSuccess: async () => {
        await refreshResponseSetting();
        rest.onClose();
        toast.success('Stored responses turned off and deleted.');
      },
    }),
  );
  return (
    <ConfirmDialog
      {...rest}
      title="Turn off stored responses?"
      description="All stored responses of this account are deleted immediately. Requests that continue them fail."
      name={account.name}
      action="Turn off and delete"
      isPending={stop.isPending}
      error={stop.error}
      onConfirm={() => stop.mutate({ accountId: account.id })}
    />
  );
}
