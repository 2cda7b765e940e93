import { useMutation } from '@tanstack/react-query';
import type { RetentionKind } from '@tollgate/core/requests/retention';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { refreshRetention } from '../../../lib/retention.ts';
import { toast } from '../../../lib/toast.ts';
import { trpc, type Account } from '../../../lib/trpc.ts';
import { RETENTION_TEXTS } from './retention-texts.ts';

interface StopDialogProps {
  kind: RetentionKind;
  account: Account;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

export function StopDialog({ kind, account, ...rest }: StopDialogProps) {
  const texts = RETENTION_TEXTS[kind];
  const stop = useMutation(
    trpc[kind].stop.mutationOptions({
      onSuccess: async () => {
        await refreshRetention(kind);
        rest.onClose();
        toast.success(texts.stopped);
      },
    }),
  );
  return (
    <ConfirmDialog
      {...rest}
      title={texts.stopTitle}
      description={texts.stop}
      name={account.name}
      action="Turn off and delete"
      isPending={stop.isPending}
      error={stop.error}
      onConfirm={() => stop.mutate({ accountId: account.id })}
    />
  );
}
