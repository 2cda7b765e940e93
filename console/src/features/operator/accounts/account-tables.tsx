import { Link } from '@tanstack/react-router';
import { useId, type ReactNode } from 'react';
import { paths } from '../../../lib/paths.ts';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { RoundedCost } from '../../../components/ui/rounded-cost.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { cn } from '../../../lib/cn.ts';
import { formatBalance, formatCap } from '../../../lib/format/money.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Moment } from '../../../components/ui/moment.tsx';
import { PAYMENT_STATE_LOOKS } from '../../billing/payment-states.ts';
import { RelativeTime } from '../../../components/ui/relative-time.tsx';
import type { OperatorAccount } from '../operator-types.ts';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';

const CLOCK_MS = 30_000;

type Key = OperatorAccount['keys'][number];
type Payment = OperatorAccount['payments'][number];

export function AccountKeys({ keys }: { keys: Key[] }) {
  const nowMs = useNow(CLOCK_MS);
  return (
    <Part title="Newest API keys" isEmpty={keys.length === 0} empty="No keys yet.">
      <DataTable caption="Newest API keys" columns={keyColumns(nowMs)} rows={keys} rowKey={({ id }) => id} />
    </Part>
  );
}

export function AccountPayments({ accountId, payments }: { accountId: string; payments: Payment[] }) {
  const all = (
    <Link
      to={paths.operatorPayments}
      search={{ q: accountId }}
      className={cn(TEXT_LINK, 'text-[13px] font-normal')}
    >
      All payments
    </Link>
  );
  return (
    <Part title="Newest payments" aside={all} isEmpty={payments.length === 0} empty="No payments yet.">
      <DataTable caption="Newest payments" columns={PAYMENTS} rows={payments} rowKey={({ id }) => id} />
    </Part>
  );
}

/** A card of the account page with a heading. */
export function Part(props: {
  title: string;
  aside?: ReactNode;
  isEmpty: boolean;
  empty: string;
  children: ReactNode;
}) {
  const headingId = useId();
  return (
    <Card className="@container">
      <section aria-labelledby={headingId}>
        <div className="flex items-baseline gap-3 border-b px-3.5 py-2.5 max-md:px-2.5">
          <h2 id={headingId} className="flex-1 font-semibold">
            {props.title}
          </h2>
          {props.aside}
        </div>
        {props.isEmpty ? (
          <p className="px-3.5 py-4 text-[13px] text-ink-2 max-md:px-2.5">{props.empty}</p>
        ) : (
          props.children
        )}
      </section>
    </Card>
  );
}

function keyColumns(nowMs: number): Column<Key>[] {
  return [
    {
      head: 'Name',
      kind: 'main',
      cell: (key) => (
        <>
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="max-w-full truncate font-medium" title={key.name}>
              {key.name}
            </span>
            {key.revokedAt !== null && <Chip tone="bad">revoked</Chip>}
            {key.revokedAt === null && key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs && (
              <Chip>expired</Chip>
            )}
          </div>
          <div className="font-mono text-[12.5px] text-ink-3">
            {key.prefix}…{key.last4}
          </div>
        </>
      ),
    },
    {
      head: 'Spent',
      kind: 'money',
      cell: ({ spentNanoUsd, maxBudgetNanoUsd }) => (
        <>
          <RoundedCost nanoUsd={spentNanoUsd} />
          <div className="font-sans text-ink-3">
            {maxBudgetNanoUsd === null ? 'no limit' : `of ${formatCap(maxBudgetNanoUsd)}`}
          </div>
        </>
      ),
    },
    {
      head: 'Last used',
      from: 'xl',
      kind: 'time',
      cell: ({ lastUsedAt }) => <RelativeTime iso={lastUsedAt} nowMs={nowMs} never="never" />,
      folded: ({ lastUsedAt }) => (
        <RelativeTime iso={lastUsedAt} nowMs={nowMs} never="never used" prefix="used " />
      ),
    },
  ];
}

const PAYMENTS: Column<Payment>[] = [
  {
    head: 'Time',
    className: 'w-full text-[12.5px] text-ink-2',
    cell: ({ id, createdAt }) => (
      <Link
        to={paths.operatorPayment}
        params={{ paymentId: id }}
        className="rounded-sm text-ink hover:underline"
      >
        <Moment iso={createdAt} />
      </Link>
    ),
  },
  {
    head: 'Status',
    cell: ({ state }) => (
      <Chip tone={PAYMENT_STATE_LOOKS[state].tone}>{PAYMENT_STATE_LOOKS[state].label}</Chip>
    ),
  },
  {
    head: 'Amount',
    kind: 'money',
    cell: ({ amountNanoUsd }) => formatBalance(amountNanoUsd),
  },
];
