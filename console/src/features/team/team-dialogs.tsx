import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { toast } from '../../lib/toast.ts';
import { paths } from '../../lib/paths.ts';
import { ConfirmDialog } from '../../components/ui/confirm-dialog.tsx';
import { Note } from '../../components/ui/note.tsx';
import { refreshSession } from '../../lib/session.ts';
import { trpc, type Account, type InvitationRow, type MemberRow } from '../../lib/trpc.ts';
import { refreshTeam } from './use-team.ts';

interface TeamDialogProps {
  account: Account;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

export function RemoveDialog({ member, account, ...rest }: TeamDialogProps & { member: MemberRow }) {
  const remove = useMutation(
    trpc.team.remove.mutationOptions({
      onSuccess: async () => {
        await refreshTeam();
        rest.onClose();
        toast.success(`${member.email} removed`);
      },
    }),
  );
  return (
    <ConfirmDialog
      {...rest}
      title={`Remove ${member.email}?`}
      description={`They lose access to ${account.name} immediately, and invitations they sent are canceled. Keys they created keep working. Revoke the keys you no longer trust.`}
      name={member.email}
      action="Remove member"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ accountId: account.id, userId: member.userId })}
    />
  );
}

export function LeaveDialog({ account, ...rest }: TeamDialogProps) {
  const navigate = useNavigate();
  const leave = useMutation(
    trpc.team.leave.mutationOptions({
      onSuccess: async () => {
        await refreshSession();
        rest.onClose();
        await navigate({ to: paths.home });
      },
    }),
  );
  return (
    <ConfirmDialog
      {...rest}
      title={`Leave ${account.name}?`}
      description="You lose access immediately. Only an admin can invite you again. Keys that you created stay with the account."
      name={account.name}
      action="Leave account"
      isPending={leave.isPending}
      error={leave.error}
      onConfirm={() => leave.mutate({ accountId: account.id })}
    />
  );
}

export function TransferDialog({ member, account, ...rest }: TeamDialogProps & { member: MemberRow }) {
  const transfer = useMutation(
    trpc.team.transfer.mutationOptions({
      onSuccess: async () => {
        await Promise.all([refreshSession(), refreshTeam()]);
        rest.onClose();
        toast.success(`${member.email} now owns ${account.name}`);
      },
    }),
  );
  return (
    <ConfirmDialog
      {...rest}
      title={`Make ${member.email} the owner?`}
      description={`You transfer ${account.name} and become an admin. Only the new owner can reverse this.`}
      name={account.name}
      action="Transfer ownership"
      isPending={transfer.isPending}
      error={transfer.error}
      onConfirm={() => transfer.mutate({ accountId: account.id, userId: member.userId })}
    >
      <Note tone="warn">
        <ul className="grid list-disc gap-1 pl-4">
          <li>The balance is transferred with the account and is not refunded to you.</li>
          <li>Your saved card is removed, and automatic top-ups are turned off.</li>
          <li>Payments and receipts stay in the account.</li>
        </ul>
      </Note>
    </ConfirmDialog>
  );
}

export function WithdrawDialog(props: TeamDialogProps & { invitation: InvitationRow }) {
  const { invitation, account, ...rest } = props;
  const withdraw = useMutation(
    trpc.team.withdrawInvitation.mutationOptions({
      onSuccess: async () => {
        await refreshTeam();
        rest.onClose();
        toast.success('Invitation canceled');
      },
    }),
  );
  return (
    <ConfirmDialog
      {...rest}
      title="Cancel this invitation?"
      description="The link in the email stops working. You can invite the same address again."
      name={invitation.email}
      action="Cancel invitation"
      isPending={withdraw.isPending}
      error={withdraw.error}
      onConfirm={() => withdraw.mutate({ accountId: account.id, invitationId: invitation.id })}
    />
  );
}
