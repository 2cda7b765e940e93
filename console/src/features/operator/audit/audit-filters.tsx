import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PeriodFilter } from '../../../components/audit/period-filter.tsx';
import { SearchField } from '../../../components/ui/search-field.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { paths } from '../../../lib/paths.ts';
import { trpc } from '../../../lib/trpc.ts';
import {
  INSTALLATION_AUDIT_KINDS,
  type InstallationAuditKind,
  type InstallationAuditSearch,
} from '../search.ts';

const KIND_LABELS: Record<InstallationAuditKind, string> = {
  provider: 'Providers',
  model: 'Models and prices',
  route: 'Routes',
  pattern: 'Route patterns',
  plan: 'Plans',
  account: 'Accounts',
  user: 'Users',
  key: 'API keys',
  installation: 'Installation',
  ledger: 'Ledger',
  job: 'Jobs',
  mail: 'Emails',
  payment: 'Payments',
  payment_event: 'Webhook events',
  billing: 'Billing',
  tax_rate: 'Tax rates',
  request: 'Requests',
  search: 'Searches',
};

interface AuditFiltersProps {
  search: InstallationAuditSearch;
  /** Shown after the filters. */
  children: ReactNode;
}

/** Filters of the audit log of the installation, kept in the URL. */
export function AuditFilters({ search, children }: AuditFiltersProps) {
  const { actor, type, q = '' } = search;
  const navigate = useNavigate({ from: paths.operatorAudit });
  const operators = useQuery(trpc.operator.audit.operators.queryOptions()).data ?? [];
  const choose = (change: InstallationAuditSearch) =>
    void navigate({ search: (current) => ({ ...current, ...change }), replace: true });
  const isFormer = actor !== undefined && actor !== 'cli' && operators.every(({ id }) => id !== actor);
  return (
    <div className="flex flex-wrap items-center gap-2 border-b px-3 py-2.5">
      <SearchField
        label="Search by subject"
        placeholder="Exact name, email or ID"
        value={q}
        onSearch={(next) => choose({ q: next === '' ? undefined : next })}
      />
      <Select
        aria-label="Actor"
        className="w-52 max-sm:w-full"
        value={actor ?? ''}
        onChange={({ target }) => choose({ actor: target.value === '' ? undefined : target.value })}
      >
        <option value="">All actors</option>
        <option value="cli">Command line and system</option>
        {operators.map(({ id, email }) => (
          <option key={id} value={id}>
            {email}
          </option>
        ))}
        {isFormer && <option value={actor}>Former operator</option>}
      </Select>
      <Select
        aria-label="Type"
        className="w-44 max-sm:min-w-36 max-sm:flex-1"
        value={type ?? ''}
        onChange={({ target }) =>
          choose({ type: INSTALLATION_AUDIT_KINDS.find((known) => known === target.value) })
        }
      >
        <option value="">All types</option>
        {INSTALLATION_AUDIT_KINDS.map((value) => (
          <option key={value} value={value}>
            {KIND_LABELS[value]}
          </option>
        ))}
      </Select>
      <PeriodFilter period={search} onChange={choose} />
      <div className="ml-auto max-sm:w-full max-sm:*:w-full">{children}</div>
    </div>
  );
}
