import { useMutation } from '@tanstack/react-query';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { trpc, type OwnCredential } from '../../../lib/trpc.ts';

interface RemoveOwnCredentialDialogProps {
  accountId: string;
  provider: OwnCredential;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

export function RemoveOwnCredentialDialog(props: RemoveOwnCredentialDialogProps) {
  const { accountId, provider, onClose, onCloseAutoFocus } = props;
  const { providerId, name } = provider;
  const remove = useMutation(
    trpc.ownCredentials.remove.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.ownCredentials.pathFilter());
        onClose();
        toast.success('Credential removed');
      },
    }),
  );
  return (
    <ConfirmDialog
      title={`Remove your credential for ${name}?`}
      description="Its value is deleted. Requests use the gateway’s credentials at model prices."
      action="Remove credential"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ accountId, providerId })}
      onClose={onClose}
      onCloseAutoFocus={onCloseAutoFocus}
    />
  );
}
