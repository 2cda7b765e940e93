import { RETENTION_KINDS } from '@tollgate/core/requests/retention';
import { useState } from 'react';
import { Card } from '../../components/ui/card.tsx';
import { PageHeader } from '../../components/layouts/page-header.tsx';
import { Button } from '../../components/ui/button.tsx';
import { useCurrentAccount, useHasRole } from '../../lib/current-account.ts';
import type { Account, InvitationRow, MemberRow } from '../../lib/trpc.ts';
import { returnFocusTo } from '../../lib/return-focus.ts';
import { AccountCard } from './account-card.tsx';
import { InvitationsCard } from './invitations-card.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { memberMenuId } from './member-menu.tsx';
import { MembersTable } from './members-table.tsx';
import { OwnCredentialsCard } from './own-credentials/own-credentials-card.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { RetentionCard } from './retention/retention-card.tsx';
import { TeamTwoFactor } from './team-two-factor.tsx';
import { LeaveDialog, RemoveDialog, TransferDialog, WithdrawDialog } from './team-dialogs.tsx';

type DialogChoice =
  | { kind: 'invite' | 'rename' }
  | { kind: 'remove' | 'transfer' | 'leave'; member: MemberRow }
  | { kind: 'withdraw'; invitation: InvitationRow };
type OpenDialog = DialogChoice & { opener: Element | null };

/** Members, roles and invitations of the account. */
export function TeamPage() {
  const account = useCurrentAccount();
  const isAdmin = useHasRole('admin');
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const open = (choice: DialogChoice) => setDialog({ ...choice, opener: createOpener(choice) });
  return (
    <>
      <PageHeader
        title="Team"
        action={
          isAdmin ? (
            <Button variant="primary" onClick={() => open({ kind: 'invite' })}>
              {' '}
              Invite member{' '}
            </Button>
          ) : undefined
        }
      >
        Members of this account and their roles.
        {!isAdmin && ' Only the owner and admins can make changes.'}
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <AccountCard account={account} onRename={isAdmin ? () => open({ kind: 'rename' }) : null} />
        <Card>
          <MembersTable account={account} onAction={(member, kind) => open({ kind, member })} />
        </Card>
        {isAdmin && (
          <InvitationsCard
            account={account}
            onWithdraw={(invitation) => open({ kind: 'withdraw', invitation })}
          />
        )}
        <TeamTwoFactor account={account} />
        <OwnCredentialsCard account={account} />
        {RETENTION_KINDS.map((kind) => (
          <RetentionCard key={kind} kind={kind} account={account} />
        ))}
      </div>
      <Dialogs dialog={dialog} account={account} onClose={() => setDialog(null)} />
    </>
  );
}

/** Menu items unmount, so focus returns to the menu button. */
function createOpener(choice: DialogChoice): Element | null {
  return 'member' in choice
    ? document.getElementById(memberMenuId(choice.member.userId))
    : document.activeElement;
}

function Dialogs(props: { dialog: OpenDialog | null; account: Account; onClose: () => void }) {
  const { dialog, ...given } = props;
  if (dialog === null) return null;
  const rest = { ...given, onCloseAutoFocus: returnFocusTo(dialog.opener) };
  switch (dialog.kind) {
    case 'invite':
      return <InviteDialog {...rest} />;
    case 'rename':
      return <RenameDialog {...rest} />;
    case 'remove':
      return <RemoveDialog {...rest} member={dialog.member} />;
    case 'transfer':
      return <TransferDialog {...rest} member={dialog.member} />;
    case 'leave':
      return <LeaveDialog {...rest} />;
    case 'withdraw':
      return <WithdrawDialog {...rest} invitation={dialog.invitation} />;
  }
}
