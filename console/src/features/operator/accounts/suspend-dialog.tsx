import { useMutation } from '@tanstack/react-query';
import { toast } from '../../../lib/toast.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import type { OperatorAccount } from '../operator-types.ts';

interface SuspendDialogProps {
  account: OperatorAccount;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

export function SuspendDialog(props: SuspendDialogProps) {
  return (
    <ChangeDialog
      {...props}
      suspended
      title={`Suspend ${props.account.name}?`}
      description="Requests with its keys are rejected within a second, and active streams end. Members can still sign in. Nothing is deleted."
      action="Suspend account"
    />
  );
}

export function ResumeDialog(props: SuspendDialogProps) {
  return (
    <ChangeDialog
      {...props}
      suspended={false}
      title={`Resume ${props.account.name}?`}
      description="Its keys work again within a second."
      action="Resume account"
    />
  );
}

interface ChangeDialogProps extends SuspendDialogProps {
  suspended: boolean;
  title: string;
  description: string;
  action: string;
}

function ChangeDialog({ account, suspended, onClose, ...rest }: ChangeDialogProps) {
  const change = useMutation(
    trpc.operator.accounts.setSuspended.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.operator.accounts.pathFilter());
        onClose();
        toast.success(suspended ? `${account.name} suspended` : `${account.name} resumed`);
      },
    }),
  );
  return (
    <ConfirmDialog
      {...rest}
      name={account.name}
      needsReason
      isPending={change.isPending}
      error={change.error}
      onConfirm={(reason) => change.mutate({ accountId: account.id, suspended, reason })}
      onClose={onClose}
    />
  );
}
