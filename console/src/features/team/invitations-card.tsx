import { toast } from 'sonner';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { cn } from '../../lib/cn.ts';
import { formatRelative } from '../../lib/format/time.ts';
import { useNow } from '../../lib/use-now.ts';
import type { Account, InvitationRow } from '../../lib/trpc.ts';
import { CELL } from '../../components/ui/cells.ts';
import { RelativeTime } from '../../components/ui/relative-time.tsx';
import { ROLE_LABELS } from './roles.ts';
import { useInvitations, useResend } from './use-team.ts';

const CLOCK_MS = 15_000;

interface InvitationsCardProps {
  account: Account;
  onWithdraw: (invitation: InvitationRow) => void;
}

/** Pending invitations; absent if there are none. */
export function InvitationsCard({ account, onWithdraw }: InvitationsCardProps) {
  const list = useInvitations(account.id, true);
  const invitations = list.data?.invitations ?? [];
  if (list.isError && list.data === undefined) {
    return (
      <Card>
        <ErrorState
          title="Invitations could not be loaded"
          error={list.error}
          isRetrying={list.isFetching}
          onRetry={() => void list.refetch()}
        />
      </Card>
    );
  }
  if (invitations.length === 0) return null;
  return (
    <Card className="@container">
      <h2 className="border-b px-3.5 py-3 font-semibold">Invitations</h2>
      <table className="w-full">
        <caption className="sr-only">Pending invitations</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Address</th>
            <th scope="col">Role</th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {invitations.map((invitation) => (
            <InvitationTableRow
              key={invitation.id}
              account={account}
              invitation={invitation}
              onWithdraw={() => onWithdraw(invitation)}
            />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

interface InvitationTableRowProps {
  account: Account;
  invitation: InvitationRow;
  onWithdraw: () => void;
}

function InvitationTableRow({ account, invitation, onWithdraw }: InvitationTableRowProps) {
  const nowMs = useNow(CLOCK_MS);
  const resend = useResend();
  const { email, role } = invitation;
  const expiresAt = new Date(invitation.expiresAt);
  const isOver = expiresAt.getTime() <= nowMs;
  const send = () =>
    resend.mutate(
      { accountId: account.id, invitationId: invitation.id },
      {
        onSuccess: () =>
          toast.success(`Invitation sent again to ${email}`, { description: 'Only the new link works.' }),
      },
    );
  return (
    <tr>
      <th scope="row" className={cn(CELL, 'w-full max-w-0 min-w-32 text-left font-normal')}>
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="max-w-full truncate font-medium" title={email}>
            {email}
          </span>
          {isOver && <Chip tone="warn">Expired</Chip>}
        </div>
        <div className="text-[12.5px] text-ink-2">
          {' '}
          Sent <RelativeTime iso={invitation.sentAt} nowMs={nowMs} never="" />
          {invitation.invitedByEmail !== null && ` by ${invitation.invitedByEmail}`}
          {!isOver && `, expires ${formatRelative(expiresAt, nowMs)}`}
        </div>
        <div className="mt-2 flex gap-2 @xl:hidden">
          <Answers email={email} isSending={resend.isPending} onSend={send} onWithdraw={onWithdraw} />
        </div>
      </th>
      <td className={cn(CELL, 'align-middle text-[13px]')}>{ROLE_LABELS[role]}</td>
      <td className={cn(CELL, 'hidden align-middle @xl:table-cell')}>
        <div className="flex gap-2">
          <Answers email={email} isSending={resend.isPending} onSend={send} onWithdraw={onWithdraw} />
        </div>
      </td>
    </tr>
  );
}

function Answers(props: { email: string; isSending: boolean; onSend: () => void; onWithdraw: () => void }) {
  const { email, isSending, onSend, onWithdraw } = props;
  return (
    <>
      <Button size="sm" isPending={isSending} onClick={onSend}>
        Send again<span className="sr-only"> to {email}</span>
      </Button>
      <Button size="sm" onClick={onWithdraw}>
        Withdraw…<span className="sr-only"> invitation to {email}</span>
      </Button>
    </>
  );
}
