import { Card } from '../../components/ui/card.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { LoadMore } from '../../components/ui/load-more.tsx';
import { useSession } from '../../lib/session.ts';
import type { Account, MemberRow } from '../../lib/trpc.ts';
import { TableSkeleton } from '../billing/table-skeleton.tsx';
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
      {list.isPending && <TableSkeleton />}
      {list.isError && list.data === undefined && (
        <ErrorState
          title="The team could not be loaded"
          error={list.error}
          isRetrying={list.isFetching}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.data !== undefined && (
        <>
          <MembersTable
            account={account}
            myUserId={user?.id ?? ''}
            members={list.data.pages.flatMap((page) => page.members)}
            onRole={(member, role) =>
              changeRole.mutate({ accountId: account.id, userId: member.userId, role })
            }
            onAction={onAction}
          />
          <LoadMore
            hasMore={list.hasNextPage}
            isLoading={list.isFetchingNextPage}
            error={list.isFetchNextPageError ? list.error : null}
            onLoad={() => void list.fetchNextPage()}
          />
        </>
      )}
    </Card>
  );
}
