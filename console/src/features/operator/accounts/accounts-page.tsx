import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { UserSearch } from 'lucide-react';
import { exportPath, paths } from '../../../lib/paths.ts';
import { ExportMenu } from '../../../components/layouts/export-menu.tsx';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { LastDays } from '../../../components/ui/last-days.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { AlignedBalance, AlignedCost } from '../../../components/ui/rounded-cost.tsx';
import { visitorTimeZone } from '../../../lib/format/time-zone.ts';
import { trpc } from '../../../lib/trpc.ts';
import { Moment } from '../../../components/ui/moment.tsx';
import type { OperatorAccountRow } from '../operator-types.ts';
import { ACCOUNT_LIST_STATES } from '../search.ts';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { SearchField } from '../../../components/ui/search-field.tsx';

const LABELS = { all: 'All', active: 'Active', suspended: 'Suspended' } as const;

/** All accounts of the installation, for operators. */
export function AccountsPage() {
  const { q = '', state = 'all' } = useSearch({ from: '/app/operator/accounts' });
  const navigate = useNavigate({ from: paths.operatorAccounts });
  const list = useInfiniteQuery(
    trpc.operator.accounts.list.infiniteQueryOptions(
      { state, ...(q === '' ? {} : { search: q }) },
      { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
    ),
  );
  const accounts = list.data?.pages.flatMap((page) => page.accounts) ?? [];
  return (
    <>
      <PageHeader
        title="Accounts"
        action={
          <ExportMenu
            getHref={(format) =>
              exportPath('accounts', format, {
                state,
                search: q === '' ? undefined : q,
                zone: visitorTimeZone(),
              })
            }
          />
        }
      >
        All accounts on this installation, newest first.
      </PageHeader>
      <Card className="@container">
        <div className="flex flex-wrap items-center gap-2 border-b px-3 py-2.5">
          <SearchField
            label="Search accounts"
            placeholder="Email, name or ID"
            value={q}
            onSearch={(search) =>
              void navigate({
                search: (current) => ({ ...current, q: search === '' ? undefined : search }),
                replace: true,
              })
            }
          />
          <Segmented
            label="Account status"
            value={state}
            options={ACCOUNT_LIST_STATES.map((value) => ({ value, label: LABELS[value] }))}
            onValueChange={(next) =>
              void navigate({
                search: (current) => ({ ...current, state: next === 'all' ? undefined : next }),
                replace: true,
              })
            }
          />
        </div>
        <DataTable
          list={list}
          failure="The accounts could not be loaded"
          caption="Accounts, newest first"
          columns={COLUMNS}
          rows={accounts}
          rowKey={(account) => account.id}
          empty={
            <EmptyState icon={UserSearch} title="No matching accounts">
              Search by part of an email or name, or by full ID.
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}

const COLUMNS: Column<OperatorAccountRow>[] = [
  { head: 'Account', cell: (account) => <AccountName account={account} />, kind: 'main' },
  { head: 'Plan', from: 'xl', cell: ({ planId }) => <Chip>{planId}</Chip> },
  {
    head: 'Balance',
    kind: 'money',
    cell: ({ availableNanoUsd }) => <AlignedBalance nanoUsd={availableNanoUsd} />,
  },
  {
    head: 'Last 30 days',
    headContent: <LastDays days={30}>Last 30 days</LastDays>,
    from: 'xl',
    kind: 'money',
    cell: ({ spentNanoUsd }) => <AlignedCost nanoUsd={spentNanoUsd} />,
  },
  {
    head: 'Created',
    from: '3xl',
    kind: 'time',
    cell: ({ createdAt }) => <Moment iso={createdAt} />,
  },
];

function AccountName({ account }: { account: OperatorAccountRow }) {
  const { id, name, ownerEmail, suspendedAt } = account;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to={paths.operatorAccount}
          params={{ accountId: id }}
          className="max-w-full truncate rounded-sm font-medium hover:underline"
          title={name}
        >
          {name}
        </Link>
        {suspendedAt !== null && <Chip tone="bad">suspended</Chip>}
      </div>
      {ownerEmail !== name && (
        <div className="truncate text-[12.5px] text-ink-2">{ownerEmail ?? 'no owner'}</div>
      )}
    </>
  );
}
