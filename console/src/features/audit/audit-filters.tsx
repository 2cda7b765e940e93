import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PeriodFilter } from '../../components/audit/period-filter.tsx';
import { Select } from '../../components/ui/select.tsx';
import type { MemberRow } from '../../lib/trpc.ts';
import { AUDIT_KINDS, type AuditKind, type AuditSearch } from './search.ts';

const KIND_LABELS: Record<AuditKind, string> = {
  key: 'API keys',
  request: 'Requests',
  billing: 'Billing',
  account: 'Account',
  member: 'Members',
  invitation: 'Invitations',
};

interface AuditFiltersProps {
  search: AuditSearch;
  members: MemberRow[];
  /** Shown after the filters. */
  children: ReactNode;
}

/** Filters of the audit log, kept in the URL. */
export function AuditFilters({ search, members, children }: AuditFiltersProps) {
  const { person, kind } = search;
  const navigate = useNavigate({ from: '/team/audit' });
  const choose = (change: AuditSearch) =>
    void navigate({ search: (current) => ({ ...current, ...change }), replace: true });
  const isFormer = person !== undefined && members.every(({ userId }) => userId !== person);
  return (
    <div className="flex flex-wrap items-center gap-2 border-b px-3 py-2.5">
      <Select
        aria-label="Member"
        className="w-56 max-sm:w-full"
        value={person ?? ''}
        onChange={({ target }) => choose({ person: target.value === '' ? undefined : target.value })}
      >
        <option value="">All members</option>
        {members.map(({ userId, email }) => (
          <option key={userId} value={userId}>
            {email}
          </option>
        ))}
        {isFormer && <option value={person}>Former member</option>}
      </Select>
      <Select
        aria-label="Type"
        className="w-40 max-sm:min-w-36 max-sm:flex-1"
        value={kind ?? ''}
        onChange={({ target }) => choose({ kind: AUDIT_KINDS.find((known) => known === target.value) })}
      >
        <option value="">All types</option>
        {AUDIT_KINDS.map((value) => (
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
