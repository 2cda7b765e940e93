import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { NoMatchingEntries } from '../../../components/audit/no-matching-entries.tsx';
import { usePeriodRange } from '../../../components/audit/use-period-range.ts';
import { ExportMenu } from '../../../components/layouts/export-menu.tsx';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { DataTable } from '../../../components/table/data-table.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { installationAuditExportPath, paths } from '../../../lib/paths.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { InstallationAuditSearch } from '../search.ts';
import { AUDIT_COLUMNS } from './audit-columns.tsx';
import { AuditFilters } from './audit-filters.tsx';

/** What operators and the command line changed in the installation. */
export function InstallationAuditPage() {
  const search = useSearch({ from: '/app/operator/audit' });
  const filter = useFilter(search);
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

/** Query parameters, shared by the list and the export. */
function useFilter({ actor, type, q, ...period }: InstallationAuditSearch) {
  const range = usePeriodRange(period);
  return {
    ...(actor !== undefined && { actor }),
    ...(type !== undefined && { action: type }),
    ...(q !== undefined && { subject: q }),
    ...range,
  };
}

function NothingFound({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <NoMatchingEntries path={paths.operatorAudit} />;
  return (
    <EmptyState icon={ScrollText} title="No actions yet">
      Changes to providers, models, plans and accounts appear here.
    </EmptyState>
  );
}
