import type { InvitableRole } from '@tollgate/core/people/roles';
import { Chip } from '../../components/ui/chip.tsx';
import { cn } from '../../lib/cn.ts';
import type { Account, MemberRow } from '../../lib/trpc.ts';
import { CELL, HEAD } from '../../components/ui/cells.ts';
import { Moment } from '../../components/ui/moment.tsx';
import { MemberMenu, type MemberAction } from './member-menu.tsx';
import { RoleMenu } from './role-menu.tsx';
import { canChange, ROLE_LABELS, ROLE_RIGHTS } from './roles.ts';

interface MembersTableProps {
  account: Account;
  /** ID of the signed-in user. */
  myUserId: string;
  members: MemberRow[];
  onRole: (member: MemberRow, role: InvitableRole) => void;
  onAction: (member: MemberRow, action: MemberAction) => void;
}

/** Members of the account, highest role first. */
export function MembersTable({ account, myUserId, members, onRole, onAction }: MembersTableProps) {
  const me = { userId: myUserId, role: account.role };
  return (
    <table className="w-full">
      <caption className="sr-only">Members of this account</caption>
      <thead>
        <tr className="border-b">
          <th scope="col" className={HEAD}>
            Person
          </th>
          <th scope="col" className={HEAD}>
            Role
          </th>
          <th scope="col" className={cn(HEAD, 'hidden @2xl:table-cell')}>
            Joined
          </th>
          <th scope="col" className={cn(HEAD, 'w-12')}>
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody className="divide-y">
        {members.map((member) => (
          <tr key={member.userId} className="h-14">
            <th
              scope="row"
              className={cn(CELL, 'w-full max-w-0 min-w-32 align-middle text-left font-normal')}
            >
              <div className="flex items-center gap-2">
                <span className="truncate font-medium" title={member.email}>
                  {member.email}
                </span>
                {member.userId === myUserId && <Chip>You</Chip>}
              </div>
              <div className="text-[12.5px] text-ink-2 @2xl:hidden">{ROLE_RIGHTS[member.role]}</div>
            </th>
            <td className={cn(CELL, 'align-middle whitespace-nowrap')}>
              {canChange(me, member) ? (
                <RoleMenu member={member} onChoose={(role) => onRole(member, role)} />
              ) : (
                <span className="text-[13px] font-medium">{ROLE_LABELS[member.role]}</span>
              )}
              <span className="ml-2 hidden text-[12.5px] text-ink-3 @4xl:inline">
                {ROLE_RIGHTS[member.role]}
              </span>
            </td>
            <td className={cn(CELL, 'hidden align-middle text-[12.5px] text-ink-2 @2xl:table-cell')}>
              <Moment iso={member.joinedAt} />
            </td>
            <td className={cn(CELL, 'text-right align-middle @max-md:pl-0')}>
              <MemberMenu me={me} member={member} onAction={(action) => onAction(member, action)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
