import { toast } from '../../lib/toast.ts';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { formatRelative } from '../../lib/format/time.ts';
import { useNow } from '../../lib/use-now.ts';
import type { Account, InvitationRow } from '../../lib/trpc.ts';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
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
  const nowMs = useNow(CLOCK_MS);
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
    <Card>
      <h2 className="border-b px-3.5 py-3 font-semibold">Invitations</h2>
      <DataTable
        caption="Pending invitations"
        header="hidden"
        columns={columns(account, nowMs, onWithdraw)}
        rows={invitations}
        rowKey={({ id }) => id}
        align="middle"
      />
    </Card>
  );
}

function columns(
  account: Account,
  nowMs: number,
  onWithdraw: (invitation: InvitationRow) => void,
): Column<InvitationRow>[] {
  const answers = (invitation: InvitationRow) => (
    <Answers account={account} invitation={invitation} onWithdraw={() => onWithdraw(invitation)} />
  );
  return [
    {
      head: 'Email',
      kind: 'main',
      cell: (invitation) => <Address invitation={invitation} nowMs={nowMs} />,
    },
    { head: 'Role', className: 'text-[13px]', cell: ({ role }) => ROLE_LABELS[role] },
    { head: 'Actions', kind: 'actions', from: 'xl', cell: answers, folded: answers },
  ];
}

function Address({ invitation, nowMs }: { invitation: InvitationRow; nowMs: number }) {
  const { email, sentAt, invitedByEmail } = invitation;
  const expiresAt = new Date(invitation.expiresAt);
  const isOver = expiresAt.getTime() <= nowMs;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="max-w-full truncate font-medium" title={email}>
          {email}
        </span>
        {isOver && <Chip tone="warn">Expired</Chip>}
      </div>
      <div className="text-[12.5px] text-ink-2">
        Sent <RelativeTime iso={sentAt} nowMs={nowMs} never="" />
        {invitedByEmail !== null && ` by ${invitedByEmail}`}
        {!isOver && `, expires ${formatRelative(expiresAt, nowMs)}`}
      </div>
    </>
  );
}

interface AnswersProps {
  account: Account;
  invitation: InvitationRow;
  onWithdraw: () => void;
}

function Answers({ account, invitation: { id, email }, onWithdraw }: AnswersProps) {
  const resend = useResend();
  const send = () =>
    resend.mutate(
      { accountId: account.id, invitationId: id },
      {
        onSuccess: () =>
          toast.success(`Invitation sent again to ${email}`, { description: 'Only the new link works.' }),
      },
    );
  return (
    <div className="flex gap-2 @max-xl:mt-2">
      <Button size="sm" isPending={resend.isPending} onClick={send}>
        Resend<span className="sr-only"> to {email}</span>
      </Button>
      <Button size="sm" onClick={onWithdraw}>
        Cancel…<span className="sr-only"> invitation to {email}</span>
      </Button>
    </div>
  );
}
