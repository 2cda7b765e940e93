import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { BackLink } from '../../../components/layouts/back-link.tsx';
import { ExportMenu } from '../../../components/layouts/export-menu.tsx';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { TEXT_LINK, TOUCHED_LINK } from '../../../components/ui/text-link.ts';
import { cn } from '../../../lib/cn.ts';
import { useCurrentAccount } from '../../../lib/current-account.ts';
import { exportPath, paths } from '../../../lib/paths.ts';
import { trpc, type StatementRow } from '../../../lib/trpc.ts';
import { sumAmounts } from '../amount.ts';
import { describeMonth } from './describe-month.ts';
import { ExactAmount } from './exact-amount.tsx';
import { StatementState } from './statement-state.tsx';

/** The months of the account, the newest first. */
export function StatementsPage() {
  const account = useCurrentAccount();
  const list = useQuery(trpc.statements.list.queryOptions({ accountId: account.id }, { staleTime: 0 }));
  return (
    <>
      <BackLink to={paths.billing}>Billing</BackLink>
      <PageHeader
        title="Statements"
        action={
          <ExportMenu
            title="Export all months"
            getHref={(format) => exportPath('statements', format, { accountId: account.id })}
          />
        }
      >
        Each month’s opening balance, payments, usage and closing balance. Months are in UTC.
      </PageHeader>
      <Card>
        <DataTable
          list={list}
          failure="The statements could not be loaded"
          caption="Statements, newest first"
          columns={getColumns(account.id)}
          rows={list.data?.statements ?? []}
          rowKey={({ month }) => month}
          empty={
            <EmptyState icon={FileText} title="No statements yet">
              The first statement appears with the first top-up, credit or charge.
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}

function getColumns(accountId: string): Column<StatementRow>[] {
  return [
    {
      head: 'Month',
      isRowHead: true,
      width: '@xl:w-px',
      cell: (statement) => (
        <>
          <Link
            to={paths.statement}
            params={{ month: statement.month }}
            search={{ account: accountId }}
            className={cn(TEXT_LINK, TOUCHED_LINK, 'whitespace-nowrap')}
          >
            {describeMonth(statement.month)}
          </Link>
          <div className="mt-1 @3xl:hidden">
            <StatementState statement={statement} />
          </div>
        </>
      ),
    },
    {
      head: 'Status',
      from: '3xl',
      cell: (statement) => <StatementState statement={statement} />,
    },
    {
      head: 'Opening balance',
      kind: 'money',
      from: '4xl',
      cell: ({ openingNanoUsd }) => <ExactAmount nanoUsd={openingNanoUsd} />,
    },
    {
      head: 'Top-ups and credit',
      kind: 'money',
      from: '2xl',
      cell: ({ sums }) => <ExactAmount nanoUsd={sumAmounts(sums.top_up, sums.credit)} isChange />,
    },
    {
      head: 'Refunds and adjustments',
      kind: 'money',
      from: '5xl',
      cell: ({ sums }) => (
        <ExactAmount
          nanoUsd={sumAmounts(sums.refund, sums.dispute, sums.dispute_won, sums.adjustment)}
          isChange
        />
      ),
    },
    {
      head: 'Usage',
      kind: 'money',
      from: 'lg',
      cell: ({ sums }) => <ExactAmount nanoUsd={sums.usage} isChange />,
    },
    {
      head: 'Closing balance',
      kind: 'money',
      cell: ({ closingNanoUsd }) => <ExactAmount nanoUsd={closingNanoUsd} />,
    },
  ];
}
