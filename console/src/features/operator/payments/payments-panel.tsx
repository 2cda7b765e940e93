import { PAYMENT_STATES } from '@tollgate/core/money/payment-states';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { CreditCard } from 'lucide-react';
import { exportPath, paths } from '../../../lib/paths.ts';
import { ExportMenu } from '../../../components/layouts/export-menu.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { formatBalance } from '../../../lib/format/money.ts';
import { trpc } from '../../../lib/trpc.ts';
import { Moment } from '../../../components/ui/moment.tsx';
import { PAYMENT_STATE_LOOKS } from '../../billing/payment-states.ts';
import type { OperatorPayment } from '../operator-types.ts';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { PayerSearch } from './payer-search.tsx';

/** Payments of all accounts, filtered by account and status. */
export function PaymentsPanel() {
  const { q, state } = useSearch({ from: '/app/operator/payments' });
  const navigate = useNavigate({ from: paths.operatorPayments });
  const list = useInfiniteQuery(
    trpc.operator.payments.list.infiniteQueryOptions(
      { ...(q !== undefined && { search: q }), ...(state !== undefined && { state }) },
      { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
    ),
  );
  const payments = list.data?.pages.flatMap((page) => page.payments) ?? [];
  const isFiltered = q !== undefined || state !== undefined;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b px-3 py-2.5">
        <PayerSearch />
        <Select
          aria-label="Status"
          className="max-sm:w-full"
          value={state ?? ''}
          onChange={({ target }) =>
            void navigate({
              search: (current) => ({
                ...current,
                state: PAYMENT_STATES.find((known) => known === target.value),
              }),
              replace: true,
            })
          }
        >
          <option value="">All statuses</option>
          {PAYMENT_STATES.map((value) => (
            <option key={value} value={value}>
              {PAYMENT_STATE_LOOKS[value].label}
            </option>
          ))}
        </Select>
        <div className="ml-auto">
          <ExportMenu
            getHref={(format) => exportPath('installation-payments', format, { search: q, state })}
          />
        </div>
      </div>
      <DataTable
        list={list}
        failure="The payments could not be loaded"
        caption="Payments from all accounts, newest first"
        columns={COLUMNS}
        rows={payments}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={CreditCard} title={isFiltered ? 'No matching payments' : 'No payments yet'}>
            {isFiltered
              ? 'Search by account name, payer email or full ID, or choose another status.'
              : 'Payments from all accounts appear here.'}
          </EmptyState>
        }
      />
    </>
  );
}

const COLUMNS: Column<OperatorPayment>[] = [
  {
    head: 'Payment',
    kind: 'main',
    cell: (payment) => (
      <>
        <Link
          to={paths.operatorPayment}
          params={{ paymentId: payment.id }}
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
    head: 'Status',
    cell: ({ state, failure }) => (
      <>
        <Chip tone={PAYMENT_STATE_LOOKS[state].tone}>{PAYMENT_STATE_LOOKS[state].label}</Chip>
        {failure !== null && <div className="mt-1 text-[12.5px] text-ink-2">{failure}</div>}
      </>
    ),
  },
  {
    head: 'Kind',
    from: 'xl',
    kind: 'time',
    cell: ({ kind, provider }) => `${kind === 'auto' ? 'automatic' : 'top-up'}, ${provider}`,
  },
  {
    head: 'Receipt',
    from: '3xl',
    className: 'font-mono text-[12.5px] whitespace-nowrap',
    cell: ({ receiptNumber }) => receiptNumber ?? '–',
  },
  {
    head: 'Amount',
    kind: 'money',
    cell: ({ amountNanoUsd }) => formatBalance(amountNanoUsd),
  },
];
