import { useMutation } from '@tanstack/react-query';
import { toast } from '../../../lib/toast.ts';
import { formatPlural } from '../../../lib/format/count.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import type { OperatorProvider } from '../operator-types.ts';

interface RemoveProviderDialogProps {
  provider: OperatorProvider;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

export function RemoveProviderDialog({ provider, onClose, onCloseAutoFocus }: RemoveProviderDialogProps) {
  const remove = useMutation(
    trpc.operator.providers.remove.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.operator.pathFilter());
        onClose();
        toast.success(`${provider.name} removed`);
      },
    }),
  );
  const deleted =
    provider.routes === 0
      ? 'Its credential is deleted'
      : `Its credential and ${formatPlural(provider.routes, 'route')} are deleted`;
  return (
    <ConfirmDialog
      title={`Remove ${provider.name}?`}
      description={`${deleted}. Requests in progress will finish.`}
      name={provider.name}
      action="Remove provider"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ providerId: provider.id })}
      onClose={onClose}
      onCloseAutoFocus={onCloseAutoFocus}
    />
  );
}
