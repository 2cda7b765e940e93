import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../../lib/paths.ts';
import { BackLink } from '../../../components/layouts/back-link.tsx';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Note } from '../../../components/ui/note.tsx';
import { trpc } from '../../../lib/trpc.ts';
import { returnFocusTo } from '../../../lib/return-focus.ts';
import { Moment } from '../../../components/ui/moment.tsx';
import { TableSkeleton } from '../../../components/ui/table-skeleton.tsx';
import type { OperatorAccount } from '../operator-types.ts';
import type { AccountSearch } from '../search.ts';
import { AccountFacts } from './account-facts.tsx';
import { AccountMembers } from './account-members.tsx';
import { AccountKeys, AccountPayments } from './account-tables.tsx';
import { AccountTwoFactor } from './account-two-factor.tsx';
import { AdjustBalanceDialog } from './adjust-balance-dialog.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import { ResumeDialog, SuspendDialog } from './suspend-dialog.tsx';
import { ViewDialog } from './view-dialog.tsx';

type DialogKind = 'adjust' | 'plan' | 'suspend' | 'resume' | 'view';

/** Operator view of one account with its actions. */
export function AccountPage() {
  const { accountId } = useParams({ from: '/app/operator/accounts/$accountId' });
  const wanted = useSearch({ from: '/app/operator/accounts/$accountId' });
  const navigate = useNavigate();
  const query = useQuery(trpc.operator.accounts.get.queryOptions({ accountId }, { staleTime: 0 }));
  const account = query.data;
  const [dialog, setDialog] = useState<{ kind: DialogKind; opener: Element | null } | null>(null);
  const wantsMore = wanted.request !== undefined || wanted.key !== undefined;
  const shown = dialog ?? (wantsMore ? { kind: 'view' as const, opener: null } : null);
  const close = () => {
    setDialog(null);
    if (wantsMore)
      void navigate({ to: paths.operatorAccount, params: { accountId }, search: {}, replace: true });
  };
  const open = (kind: DialogKind) => setDialog({ kind, opener: document.activeElement });
  return (
    <>
      <BackLink to={paths.operatorAccounts}>Accounts</BackLink>
      <PageHeader
        title={account?.name ?? 'Account'}
        action={account === undefined ? undefined : <Actions account={account} onOpen={open} />}
      >
        <span className="font-mono text-[12.5px]">{accountId}</span>
      </PageHeader>
      {query.isPending && (
        <Card className="@container">
          <TableSkeleton />
        </Card>
      )}
      {query.isError && account === undefined && (
        <Card>
          <ErrorState
            title="The account could not be loaded"
            error={query.error}
            isRetrying={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        </Card>
      )}
      {account !== undefined && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {account.suspendedAt !== null && (
            <Note tone="bad">
              Suspended <Moment iso={account.suspendedAt} />. All requests with its keys are rejected.
            </Note>
          )}
          <AccountFacts account={account} />
          <AccountMembers members={account.members} />
          <AccountTwoFactor accountId={account.id} />
          <AccountKeys keys={account.keys} />
          <AccountPayments accountId={account.id} payments={account.payments} />
        </div>
      )}
      {account !== undefined && shown !== null && (
        <OpenDialog
          kind={shown.kind}
          account={account}
          wanted={wanted}
          onClose={close}
          onCloseAutoFocus={returnFocusTo(shown.opener)}
        />
      )}
    </>
  );
}

function Actions({ account, onOpen }: { account: OperatorAccount; onOpen: (kind: DialogKind) => void }) {
  const isSuspended = account.suspendedAt !== null;
  return (
    <div className="flex flex-wrap gap-2 max-sm:grid max-sm:grid-cols-2">
      <Button onClick={() => onOpen('view')}>View as account</Button>
      <Button onClick={() => onOpen('adjust')}>Adjust balance</Button>
      <Button onClick={() => onOpen('plan')}>Change plan</Button>
      <Button onClick={() => onOpen(isSuspended ? 'resume' : 'suspend')}>
        {isSuspended ? 'Resume' : 'Suspend…'}
      </Button>
    </div>
  );
}

interface OpenDialogProps {
  kind: DialogKind;
  account: OperatorAccount;
  wanted: AccountSearch;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

function OpenDialog({ kind, wanted, ...rest }: OpenDialogProps) {
  switch (kind) {
    case 'adjust':
      return <AdjustBalanceDialog {...rest} />;
    case 'plan':
      return <PlanDialog {...rest} />;
    case 'suspend':
      return <SuspendDialog {...rest} />;
    case 'view':
      return <ViewDialog {...rest} wanted={wanted} />;
    case 'resume':
      return <ResumeDialog {...rest} />;
  }
}
