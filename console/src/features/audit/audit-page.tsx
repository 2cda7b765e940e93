import { Link, useSearch } from '@tanstack/react-router';
import { ScrollText, ShieldX } from 'lucide-react';
import { auditExportPath, paths } from '../../lib/paths.ts';
import { NoMatchingEntries } from '../../components/audit/no-matching-entries.tsx';
import { ExportMenu } from '../../components/layouts/export-menu.tsx';
import { PageHeader } from '../../components/layouts/page-header.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { useCurrentAccount, useHasRole } from '../../lib/current-account.ts';
import { useMembers } from '../team/use-team.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { useAudit, useAuditFilter } from './use-audit.ts';

/** Audit log of the account, for its owner and admins. */
export function AuditPage() {
  const account = useCurrentAccount();
  const isAdmin = useHasRole('admin');
  return (
    <>
      <PageHeader title="Audit log">Actions in {account.name}, newest first.</PageHeader>
      <Card className="@container">
        {isAdmin ? (
          <AuditLog key={account.id} accountId={account.id} />
        ) : (
          <EmptyState
            icon={ShieldX}
            title="Only owners and admins can open this page"
            action={
              <Button asChild>
                <Link to={paths.team}>Back to team</Link>
              </Button>
            }
          >
            Ask an owner or admin what happened in this account.
          </EmptyState>
        )}
      </Card>
    </>
  );
}

function AuditLog({ accountId }: { accountId: string }) {
  const search = useSearch({ from: '/app/team/audit' });
  const members = useMembers(accountId);
  const filter = useAuditFilter(search);
  const list = useAudit(accountId, filter);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <AuditFilters search={search} members={members.data?.pages.flatMap((page) => page.members) ?? []}>
        <ExportMenu getHref={(format) => auditExportPath(format, { accountId, ...filter })} />
      </AuditFilters>
      <AuditTable list={list} empty={<NothingFound isFiltered={isFiltered} />} />
    </>
  );
}

function NothingFound({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <NoMatchingEntries path={paths.audit} />;
  return (
    <EmptyState icon={ScrollText} title="No activity yet">
      Changes to keys, members and settings appear here.
    </EmptyState>
  );
}
