import type { InvitableRole } from '@tollgate/core/people/roles';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { Moment } from '../../components/ui/moment.tsx';
import { useSession } from '../../lib/session.ts';
import type { Account, MemberRow } from '../../lib/trpc.ts';
import { MemberMenu, type MemberAction } from './member-menu.tsx';
import { RoleMenu } from './role-menu.tsx';
import { canChange, ROLE_LABELS, ROLE_RIGHTS } from './roles.ts';
import { useChangeRole, useMembers } from './use-team.ts';

interface MembersTableProps {
  account: Account;
  onAction: (member: MemberRow, action: MemberAction) => void;
}

/** Members of the account, highest role first. */
export function MembersTable({ account, onAction }: MembersTableProps) {
  const { user } = useSession();
  const list = useMembers(account.id);
  const changeRole = useChangeRole();
  return (
    <DataTable
      list={list}
      failure="Members could not be loaded"
      caption="Members of this account"
      columns={columns({
        me: { userId: user?.id ?? '', role: account.role },
        onRole: (member, role) => changeRole.mutate({ accountId: account.id, userId: member.userId, role }),
        onAction,
      })}
      rows={list.data?.pages.flatMap((page) => page.members) ?? []}
      rowKey={({ userId }) => userId}
      align="middle"
      rowClassName={() => 'h-14'}
    />
  );
}

interface ColumnContext extends Pick<MembersTableProps, 'onAction'> {
  /** The signed-in user. */
  me: Pick<MemberRow, 'userId' | 'role'>;
  onRole: (member: MemberRow, role: InvitableRole) => void;
}

function columns({ me, onRole, onAction }: ColumnContext): Column<MemberRow>[] {
  return [
    {
      head: 'Member',
      kind: 'main',
      cell: ({ userId, email }) => (
        <div className="flex items-center gap-2">
          <span className="truncate font-medium" title={email}>
            {email}
          </span>
          {userId === me.userId && <Chip>You</Chip>}
        </div>
      ),
    },
    {
      head: 'Role',
      className: 'whitespace-nowrap',
      cell: (member) => (
        <div className="flex items-center">
          <span className="shrink-0 @4xl:w-24">
            {canChange(me, member) ? (
              <RoleMenu member={member} onChoose={(role) => onRole(member, role)} />
            ) : (
              <span className="text-[13px] font-medium">{ROLE_LABELS[member.role]}</span>
            )}
          </span>
          <span className="hidden text-[12.5px] text-ink-3 @4xl:inline">{ROLE_RIGHTS[member.role]}</span>
        </div>
      ),
    },
    {
      head: 'Joined',
      from: '2xl',
      kind: 'time',
      cell: ({ joinedAt }) => <Moment iso={joinedAt} />,
      folded: ({ role }) => ROLE_RIGHTS[role],
    },
    {
      head: 'Actions',
      isHeadHidden: true,
      kind: 'actions',
      width: 'w-12',
      cell: (member) => (
        <MemberMenu me={me} member={member} onAction={(action) => onAction(member, action)} />
      ),
    },
  ];
}
