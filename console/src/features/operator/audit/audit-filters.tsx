import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Input } from '../../../components/ui/input.tsx';
import { SearchField } from '../../../components/ui/search-field.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { fromLocalField, toLocalField } from '../../../lib/format/local-field.ts';
import { paths } from '../../../lib/paths.ts';
import { trpc } from '../../../lib/trpc.ts';
import {
  INSTALLATION_AUDIT_KINDS,
  INSTALLATION_AUDIT_SPANS,
  type InstallationAuditKind,
  type InstallationAuditSearch,
  type InstallationAuditSpan,
} from '../search.ts';

const DAY_MS = 86_400_000;
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
  payment_event: 'Webhook events',
  search: 'Searches',
};
const SPAN_LABELS: Record<InstallationAuditSpan, string> = {
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
};

interface AuditFiltersProps {
  search: InstallationAuditSearch;
  /** Shown after the filters. */
  children: ReactNode;
}

/** Filters of the audit log of the installation, kept in the URL. */
export function AuditFilters({ search, children }: AuditFiltersProps) {
  const { actor, type, q = '', since, from, until } = search;
  const navigate = useNavigate({ from: paths.operatorAudit });
  const operators = useQuery(trpc.operator.audit.operators.queryOptions()).data ?? [];
  const choose = (change: InstallationAuditSearch) =>
    void navigate({ search: (current) => ({ ...current, ...change }), replace: true });
  const isCustom = from !== undefined || until !== undefined;
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
      <Select
        aria-label="Period"
        className="w-40 max-sm:min-w-36 max-sm:flex-1"
        value={isCustom ? 'custom' : (since ?? '')}
        onChange={({ target }) => choose(getSpan(target.value))}
      >
        <option value="">All time</option>
        {INSTALLATION_AUDIT_SPANS.map((value) => (
          <option key={value} value={value}>
            {SPAN_LABELS[value]}
          </option>
        ))}
        <option value="custom">Custom range</option>
      </Select>
      {isCustom && (
        <>
          <Input
            type="datetime-local"
            aria-label="From"
            className="w-52 max-sm:flex-1"
            value={toLocalField(from)}
            onChange={({ target }) => choose({ from: fromLocalField(target.value) })}
          />
          <Input
            type="datetime-local"
            aria-label="To"
            className="w-52 max-sm:flex-1"
            value={toLocalField(until)}
            onChange={({ target }) => choose({ until: fromLocalField(target.value) })}
          />
        </>
      )}
      <div className="ml-auto max-sm:w-full max-sm:*:w-full">{children}</div>
    </div>
  );
}

/** A custom range starts a day ago. */
function getSpan(value: string): InstallationAuditSearch {
  const none = { since: undefined, from: undefined, until: undefined };
  if (value === 'custom') return { ...none, from: new Date(Date.now() - DAY_MS).toISOString() };
  return { ...none, since: INSTALLATION_AUDIT_SPANS.find((known) => known === value) };
}
