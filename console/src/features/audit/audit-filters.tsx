import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Input } from '../../components/ui/input.tsx';
import { Select } from '../../components/ui/select.tsx';
import type { MemberRow } from '../../lib/trpc.ts';
import { fromLocalField, toLocalField } from '../../lib/format/local-field.ts';
import { AUDIT_KINDS, AUDIT_SPANS, type AuditKind, type AuditSearch, type AuditSpan } from './search.ts';

const DAY_MS = 86_400_000;
const KIND_LABELS: Record<AuditKind, string> = {
  key: 'API keys',
  request: 'Requests',
  billing: 'Billing',
  account: 'Account',
  member: 'Members',
  invitation: 'Invitations',
};
const SPAN_LABELS: Record<AuditSpan, string> = {
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
};

interface AuditFiltersProps {
  search: AuditSearch;
  members: MemberRow[];
  /** Shown after the filters. */
  children: ReactNode;
}

/** Filters of the audit log, kept in the URL. */
export function AuditFilters({ search, members, children }: AuditFiltersProps) {
  const { person, kind, since, from, until } = search;
  const navigate = useNavigate({ from: '/team/audit' });
  const choose = (change: AuditSearch) =>
    void navigate({ search: (current) => ({ ...current, ...change }), replace: true });
  const isCustom = from !== undefined || until !== undefined;
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
      <Select
        aria-label="Period"
        className="w-40 max-sm:min-w-36 max-sm:flex-1"
        value={isCustom ? 'custom' : (since ?? '')}
        onChange={({ target }) => choose(getSpan(target.value))}
      >
        <option value="">All time</option>
        {AUDIT_SPANS.map((value) => (
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
function getSpan(value: string): AuditSearch {
  const none = { since: undefined, from: undefined, until: undefined };
  if (value === 'custom') return { ...none, from: new Date(Date.now() - DAY_MS).toISOString() };
  return { ...none, since: AUDIT_SPANS.find((known) => known === value) };
}
