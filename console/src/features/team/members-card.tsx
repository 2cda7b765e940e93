import { Card } from '../../components/ui/card.tsx';
import { Paged } from '../../components/ui/paged.tsx';
import { useSession } from '../../lib/session.ts';
import type { Account, MemberRow } from '../../lib/trpc.ts';
import type { MemberAction } from './member-menu.tsx';
import { MembersTable } from './members-table.tsx';
import { useChangeRole, useMembers } from './use-team.ts';

interface MembersCardProps {
  account: Account;
  onAction: (member: MemberRow, action: MemberAction) => void;
}

export function MembersCard({ account, onAction }: MembersCardProps) {
  const { user } = useSession();
  const list = useMembers(account.id);
  const changeRole = useChangeRole();
  return (
    <Card className="@container">
      <Paged list={list} title="Members could not be loaded">
        <MembersTable
          account={account}
          myUserId={user?.id ?? ''}
          members={list.data?.pages.flatMap((page) => page.members) ?? []}
          onRole={(member, role) => changeRole.mutate({ accountId: account.id, userId: member.userId, role })}
          onAction={onAction}
        />
      </Paged>
    </Card>
  );
}
