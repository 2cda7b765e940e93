import { useMutation } from '@tanstack/react-query';
import { toast } from '../../lib/toast.ts';
import { ConfirmDialog } from '../../components/ui/confirm-dialog.tsx';
import { queryClient } from '../../lib/query-client.ts';
import { trpc, type KeyRow } from '../../lib/trpc.ts';
import { returnFocusTo } from './focus-return.ts';

export function RevokeDialog(props: { accountId: string; row: KeyRow; onClose: () => void }) {
  const { accountId, row, onClose } = props;
  const revoke = useMutation(
    trpc.keys.revoke.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.keys.pathFilter());
        onClose();
        toast.success(`${row.name} revoked`, { description: 'Requests with this key are now rejected.' });
      },
    }),
  );
  return (
    <ConfirmDialog
      title={`Revoke ${row.name}?`}
      description="Requests with this key are rejected within a second, and active streams end. This can't be undone."
      name={row.name}
      action="Revoke key"
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({ accountId, keyId: row.id })}
      onClose={onClose}
      onCloseAutoFocus={returnFocusTo(row.id)}
    />
  );
}
