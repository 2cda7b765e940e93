import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { Download, Printer, SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { BackLink } from '../../../components/layouts/back-link.tsx';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { TableSkeleton } from '../../../components/ui/table-skeleton.tsx';
import { errorCode } from '../../../lib/api-error.ts';
import { chooseAccount, useCurrentAccount } from '../../../lib/current-account.ts';
import { paths, statementExportPath, statementPdfPath } from '../../../lib/paths.ts';
import { useSession } from '../../../lib/session.ts';
import { trpc, type Statement } from '../../../lib/trpc.ts';
import { describeMonth } from './describe-month.ts';
import { MovementsTable } from './movements-table.tsx';
import { StatementParties } from './statement-parties.tsx';
import { StatementState } from './statement-state.tsx';
import { SummaryTable } from './summary-table.tsx';
import { TaxesTable } from './taxes-table.tsx';
import { KeyChargesTable, ModelChargesTable } from './usage-tables.tsx';

/** One month of an account. A link to it names the account, and opens it for every member. */
export function StatementPage() {
  const { month } = useParams({ from: '/app/billing/statements/$month' });
  const { account: wantedId } = useSearch({ from: '/app/billing/statements/$month' });
  const account = useCurrentAccount();
  const isMember = useSession().accounts.some(({ id }) => id === wantedId);
  useEffect(() => {
    if (wantedId !== undefined && isMember) chooseAccount(wantedId);
  }, [wantedId, isMember]);
  const accountId = wantedId ?? account.id;
  const query = useQuery(
    trpc.statements.get.queryOptions({ accountId, month }, { staleTime: 0, retry: false }),
  );
  const statement = query.data;
  return (
    <>
      <div className="print:hidden">
        <BackLink to={paths.statements}>Statements</BackLink>
      </div>
      <PageHeader
        title={`Statement for ${describeMonth(month)}`}
        action={
          statement === undefined ? undefined : <StatementActions accountId={accountId} month={month} />
        }
      >
        <span className="flex flex-wrap items-center gap-2">
          {account.id === accountId && <span className="break-all">{account.name}</span>}
          {statement !== undefined && <StatementState statement={statement} />}
          <span className="text-[12.5px] text-ink-3">Dates and months in UTC, amounts in USD</span>
        </span>
      </PageHeader>
      {query.isPending && (
        <Card className="@container">
          <TableSkeleton />
        </Card>
      )}
      {query.isError && statement === undefined && (
        <Card>
          {isMissing(query.error) ? (
            <NoSuchStatement />
          ) : (
            <ErrorState
              title="The statement could not be loaded"
              error={query.error}
              isRetrying={query.isFetching}
              onRetry={() => void query.refetch()}
            />
          )}
        </Card>
      )}
      {statement !== undefined && <Loaded statement={statement} />}
    </>
  );
}

function isMissing(error: unknown): boolean {
  return ['NOT_FOUND', 'BAD_REQUEST'].includes(errorCode(error) ?? '');
}

function StatementActions({ accountId, month }: { accountId: string; month: string }) {
  return (
    <span className="contents print:hidden">
      <Button onClick={() => print()}>
        <Printer aria-hidden className="size-[15px]" />
        Print
      </Button>
      <Button asChild>
        <a href={statementExportPath('csv', { accountId, month })} download>
          <Download aria-hidden className="size-[15px]" />
          CSV
        </a>
      </Button>
      <Button asChild>
        <a href={statementPdfPath({ accountId, month })} download>
          <Download aria-hidden className="size-[15px]" />
          PDF
        </a>
      </Button>
    </span>
  );
}

function Loaded({ statement }: { statement: Statement }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <StatementParties statement={statement} />
      <Card>
        <SummaryTable statement={statement} />
      </Card>
      <Card>
        <MovementsTable statement={statement} />
      </Card>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2 print:grid-cols-1">
        <Card>
          <KeyChargesTable statement={statement} />
        </Card>
        <Card>
          <ModelChargesTable statement={statement} />
        </Card>
      </div>
      {statement.taxes.length > 0 && (
        <Card>
          <TaxesTable statement={statement} />
        </Card>
      )}
    </div>
  );
}

function NoSuchStatement() {
  return (
    <EmptyState
      icon={SearchX}
      title="Statement not found"
      action={
        <Button asChild>
          <Link to={paths.statements}>View all statements</Link>
        </Button>
      }
    >
      The month has no statement, or it belongs to another account.
    </EmptyState>
  );
}
