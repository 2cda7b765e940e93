import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, type ReactNode } from 'react';
import { ExportMenu } from '../../../components/layouts/export-menu.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { RoundedBalance, RoundedCost } from '../../../components/ui/rounded-cost.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { formatPlural } from '../../../lib/format/count.ts';
import { formatCostRounded } from '../../../lib/format/money.ts';
import { visitorTimeZone } from '../../../lib/format/time-zone.ts';
import { exportPath, paths } from '../../../lib/paths.ts';
import { trpc } from '../../../lib/trpc.ts';
import { describeRate } from '../../usage/error-rate.ts';
import type { AccountsAtRisk, OperatorOverview } from '../operator-types.ts';
import type { OperatorPeriod } from '../search.ts';

const REFRESH_MS = 30_000;

interface TopAccountsProps {
  accounts: OperatorOverview['topAccounts'];
  period: OperatorPeriod;
}

/** Accounts with the highest revenue. */
export function TopAccountsCard({ accounts, period }: TopAccountsProps) {
  const query = { period, zone: visitorTimeZone() };
  return (
    <AccountsCard
      title="Top accounts"
      action={
        <ExportMenu
          isSmall
          title="Export all accounts with requests"
          getHref={(format) => exportPath('top-accounts', format, query)}
        />
      }
    >
      {accounts.length === 0 && (
        <p className="px-4 pb-4 text-[13px] text-ink-3">No account was used in this period.</p>
      )}
      {accounts.length > 0 && (
        <ul className="divide-y border-t">
          {accounts.map((account) => (
            <AccountLine
              key={account.id}
              account={account}
              amount={<RoundedCost nanoUsd={account.revenueNanoUsd} />}
            >
              {formatPlural(account.requests, 'request')}, {describeRate(account)} failed
            </AccountLine>
          ))}
        </ul>
      )}
    </AccountsCard>
  );
}

/** Accounts with a low balance or many failed requests. */
export function AtRiskCard() {
  const { data, isError, error, isFetching, refetch } = useQuery(
    trpc.operator.overview.atRisk.queryOptions(undefined, { staleTime: 0, refetchInterval: REFRESH_MS }),
  );
  return (
    <AccountsCard title="Accounts at risk">
      {data === undefined && isError && (
        <ErrorState
          title="The accounts could not be loaded"
          error={error}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && !isError && <Skeleton className="mx-4 mb-4 h-40" />}
      {data !== undefined && data.accounts.length === 0 && (
        <p className="px-4 pb-3 text-ink-2">No account is at risk.</p>
      )}
      {data !== undefined && data.accounts.length > 0 && (
        <ul className="divide-y border-t">
          {data.accounts.map((account) => (
            <AccountLine
              key={account.id}
              account={account}
              amount={<RoundedBalance nanoUsd={account.availableNanoUsd} />}
            >
              <RiskChips account={account} />
            </AccountLine>
          ))}
        </ul>
      )}
      {data !== undefined && (
        <p className="border-t px-4 py-2.5 text-[12.5px] text-ink-3">
          {data.more > 0 && `${formatPlural(data.more, 'more account')}. `}
          Listed: balance for less than {data.limits.days} days, or at least {data.limits.errors} failed
          requests and {data.limits.errorPercent}% of all since yesterday (UTC).
        </p>
      )}
    </AccountsCard>
  );
}

function RiskChips({ account }: { account: AccountsAtRisk['accounts'][number] }) {
  const { isLowOnBalance, isFailing, dailyNanoUsd, availableNanoUsd } = account;
  return (
    <span className="mt-1 flex flex-wrap gap-1.5">
      {isLowOnBalance && (
        <Chip tone={BigInt(availableNanoUsd) <= 0n ? 'bad' : 'warn'}>
          spends {formatCostRounded(dailyNanoUsd)} a day
        </Chip>
      )}
      {isFailing && <Chip tone="bad">{describeRate(account)} of requests failed</Chip>}
    </span>
  );
}

interface AccountsCardProps {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}

function AccountsCard({ title, action, children }: AccountsCardProps) {
  const headingId = useId();
  return (
    <Card className="min-w-0">
      <section aria-labelledby={headingId}>
        <div className="flex flex-wrap items-center justify-between gap-2 px-4 pt-3 pb-2">
          <h2 id={headingId} className="font-medium">
            {title}
          </h2>
          {action}
        </div>
        {children}
      </section>
    </Card>
  );
}

interface AccountLineProps {
  account: { id: string; name: string; ownerEmail: string | null };
  amount: ReactNode;
  children: ReactNode;
}

function AccountLine({ account: { id, name, ownerEmail }, amount, children }: AccountLineProps) {
  return (
    <li className="px-4 py-2.5">
      <div className="flex items-baseline gap-3">
        <Link
          to={paths.operatorAccount}
          params={{ accountId: id }}
          className="min-w-0 flex-1 truncate rounded-sm font-medium hover:underline"
          title={ownerEmail ?? id}
        >
          {name}
        </Link>
        <span className="font-mono text-[12.5px]">{amount}</span>
      </div>
      <div className="text-[12.5px] text-ink-2">{children}</div>
    </li>
  );
}
