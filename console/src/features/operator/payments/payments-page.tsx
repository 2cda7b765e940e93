import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { CreditCard } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { paths } from '../../../app/paths.ts';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { SegmentedTabsList } from '../../../components/ui/segmented.tsx';
import { formatBalance } from '../../../lib/format/money.ts';
import { trpc } from '../../../lib/trpc.ts';
import { Moment } from '../../billing/moment.tsx';
import { PAYMENT_STATES } from '../../billing/payment-states.ts';
import type { OperatorPayment } from '../operator-types.ts';
import { PAYMENT_TABS } from '../search.ts';
import { DataTable, type Column } from '../table/data-table.tsx';
import { Paged } from '../table/paged.tsx';
import { EventsPanel } from './events-panel.tsx';

const TABS = [
  { value: 'payments', label: 'Payments' },
  { value: 'events', label: 'Webhook deliveries' },
] as const;

/** What came in from everybody, and what the payment provider told of it. */
export function OperatorPaymentsPage() {
  const { tab = 'payments' } = useSearch({ from: '/app/operator/payments' });
  const navigate = useNavigate({ from: paths.operatorPayments });
  const choose = (next: string) => {
    const chosen = PAYMENT_TABS.find((known) => known === next);
    void navigate({ search: { tab: chosen === 'payments' ? undefined : chosen }, replace: true });
  };
  return (
    <>
      <PageHeader title="Payments">
        What came in from every account, and what the payment provider told of it.
      </PageHeader>
      <Card className="@container">
        <Tabs.Root value={tab} onValueChange={choose}>
          <div className="border-b px-3 py-2.5">
            <SegmentedTabsList label="Payments" value={tab} tabs={TABS} />
          </div>
          <Tabs.Content value="payments">
            <PaymentsPanel />
          </Tabs.Content>
          <Tabs.Content value="events">
            <EventsPanel />
          </Tabs.Content>
        </Tabs.Root>
      </Card>
    </>
  );
}

function PaymentsPanel() {
  const list = useInfiniteQuery(
    trpc.operator.payments.list.infiniteQueryOptions(
      {},
      { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
    ),
  );
  const payments = list.data?.pages.flatMap((page) => page.payments) ?? [];
  return (
    <Paged list={list} title="The payments could not be loaded">
      {payments.length === 0 ? (
        <EmptyState icon={CreditCard} title="Nobody has paid yet">
          Every payment of every account is listed here with its state.
        </EmptyState>
      ) : (
        <DataTable
          caption="Payments of all accounts, the newest first"
          columns={COLUMNS}
          rows={payments}
          rowKey={({ id }) => id}
        />
      )}
    </Paged>
  );
}

const COLUMNS: Column<OperatorPayment>[] = [
  {
    head: 'Account',
    className: 'w-full max-w-0',
    cell: (payment) => (
      <>
        <Link
          to={paths.operatorAccount}
          params={{ accountId: payment.accountId }}
          className="block truncate rounded-sm font-medium hover:underline"
          title={payment.accountName}
        >
          {payment.accountName}
        </Link>
        <div className="text-[12.5px] text-ink-2">
          <Moment iso={payment.createdAt} />
        </div>
      </>
    ),
  },
  {
    head: 'State',
    cell: ({ state, failure }) => (
      <>
        <Chip tone={PAYMENT_STATES[state].tone}>{PAYMENT_STATES[state].label}</Chip>
        {failure !== null && <div className="mt-1 text-[12.5px] text-ink-2">{failure}</div>}
      </>
    ),
  },
  {
    head: 'Kind',
    from: 'medium',
    className: 'text-[12.5px] text-ink-2 whitespace-nowrap',
    cell: ({ kind, provider }) => `${kind === 'auto' ? 'automatic' : 'top-up'}, ${provider}`,
  },
  {
    head: 'Receipt',
    from: 'wide',
    className: 'font-mono text-[12.5px] whitespace-nowrap',
    cell: ({ receiptNumber }) => receiptNumber ?? '–',
  },
  {
    head: 'Amount',
    isRight: true,
    className: 'font-mono text-[12.5px] whitespace-nowrap',
    cell: ({ amountNanoUsd }) => formatBalance(amountNanoUsd),
  },
];
