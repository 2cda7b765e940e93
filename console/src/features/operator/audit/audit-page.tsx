import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { ExportMenu } from '../../../components/layouts/export-menu.tsx';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { DataTable } from '../../../components/table/data-table.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { installationAuditExportPath, paths } from '../../../lib/paths.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { InstallationAuditSearch, InstallationAuditSpan } from '../search.ts';
import { AUDIT_COLUMNS } from './audit-columns.tsx';
import { AuditFilters } from './audit-filters.tsx';

const DAY_MS = 86_400_000;
const SPAN_MS: Record<InstallationAuditSpan, number> = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS };

/** What operators and the command line changed in the installation. */
export function InstallationAuditPage() {
  const filter = useFilter(useSearch({ from: '/app/operator/audit' }));
  const search = useSearch({ from: '/app/operator/audit' });
  const list = useInfiniteQuery(
    trpc.operator.audit.list.infiniteQueryOptions(filter, {
      getNextPageParam: (page) => page.nextCursor,
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),
  );
  return (
    <>
      <PageHeader title="Audit log">
        Actions of operators, the command line and the system, newest first.
      </PageHeader>
      <Card className="@container">
        <AuditFilters search={search}>
          <ExportMenu getHref={(format) => installationAuditExportPath(format, filter)} />
        </AuditFilters>
        <DataTable
          list={list}
          failure="The log could not be loaded"
          caption="Actions in this installation, newest first"
          columns={AUDIT_COLUMNS}
          rows={list.data?.pages.flatMap((page) => page.entries) ?? []}
          rowKey={({ id }) => id}
          empty={<NothingFound isFiltered={Object.keys(filter).length > 0} />}
        />
      </Card>
    </>
  );
}

/** Query parameters, shared by the list and the export. A period ends when the page was opened. */
function useFilter({ actor, type, q, since, from, until }: InstallationAuditSearch) {
  const [openedMs] = useState(() => Date.now());
  const spanFrom = since === undefined ? undefined : new Date(openedMs - SPAN_MS[since]).toISOString();
  const start = from === undefined && until === undefined ? spanFrom : from;
  return {
    ...(actor !== undefined && { actor }),
    ...(type !== undefined && { action: type }),
    ...(q !== undefined && { subject: q }),
    ...(start !== undefined && { from: start }),
    ...(until !== undefined && { until }),
  };
}

function NothingFound({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered)
    return (
      <EmptyState icon={ScrollText} title="No actions yet">
        Changes to providers, models, plans and accounts appear here.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={ScrollText}
      title="No matching entries"
      action={
        <Button asChild>
          <Link to={paths.operatorAudit}>Clear filters</Link>
        </Button>
      }
    >
      Change or clear the filters to see more.
    </EmptyState>
  );
}
