import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { formatPlural } from '../../../lib/format/count.ts';
import { useSession } from '../../../lib/session.ts';
import { returnFocusTo } from '../../../lib/return-focus.ts';
import { Moment } from '../../../components/ui/moment.tsx';
import type { OperatorMember } from '../operator-types.ts';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { Part } from './account-tables.tsx';
import { ResetSignInDialog } from './reset-sign-in-dialog.tsx';

/** Members of the account, with a sign-in reset. */
export function AccountMembers({ members }: { members: OperatorMember[] }) {
  const ownId = useSession().user?.id;
  const [reset, setReset] = useState<{ member: OperatorMember; opener: Element | null } | null>(null);
  const columns = memberColumns(ownId, (member) => setReset({ member, opener: document.activeElement }));
  return (
    <Part title="Members" isEmpty={members.length === 0} empty="This account has no members.">
      <DataTable caption="Members" columns={columns} rows={members} rowKey={({ userId }) => userId} />
      {reset !== null && (
        <ResetSignInDialog
          member={reset.member}
          onClose={() => setReset(null)}
          onCloseAutoFocus={returnFocusTo(reset.opener)}
        />
      )}
    </Part>
  );
}

function memberColumns(
  ownId: string | undefined,
  onReset: (member: OperatorMember) => void,
): Column<OperatorMember>[] {
  return [
    {
      head: 'Email',
      kind: 'main',
      cell: ({ email, emailVerified, isOperator, hasTwoFactor, passkeys }) => (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="max-w-full truncate" title={email}>
            {email}
          </span>
          {!emailVerified && <Chip tone="warn">not verified</Chip>}
          {isOperator && <Chip tone="ok">operator</Chip>}
          {hasTwoFactor && <Chip>two-factor</Chip>}
          {passkeys > 0 && <Chip>{formatPlural(passkeys, 'passkey')}</Chip>}
        </div>
      ),
    },
    { head: 'Role', from: 'xl', cell: ({ role }) => role, folded: ({ role }) => role },
    {
      head: 'Joined',
      from: 'xl',
      kind: 'time',
      cell: ({ joinedAt }) => <Moment iso={joinedAt} />,
    },
    {
      head: 'Actions',
      isHeadHidden: true,
      kind: 'actions',
      cell: (member) =>
        // Operators change their own sign-in in the settings.
        member.userId !== ownId &&
        (member.hasTwoFactor || member.passkeys > 0) && (
          <Button size="sm" aria-label={`Reset sign-in… for ${member.email}`} onClick={() => onReset(member)}>
            Reset sign-in…
          </Button>
        ),
    },
  ];
}
