import { useNavigate } from '@tanstack/react-router';
import { Select } from '../../components/ui/select.tsx';
import type { MemberRow } from '../../lib/trpc.ts';
import { AUDIT_KINDS, AUDIT_SPANS, type AuditKind, type AuditSpan } from './search.ts';

const KIND_LABELS: Record<AuditKind, string> = {
  key: 'API keys',
  billing: 'Billing',
  account: 'The account',
  member: 'Members',
  invitation: 'Invitations',
};
const SPAN_LABELS: Record<AuditSpan, string> = {
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
};

interface AuditFiltersProps {
  person: string | undefined;
  kind: AuditKind | undefined;
  since: AuditSpan | undefined;
  members: MemberRow[];
}

/** All of it lives in the URL. */
export function AuditFilters({ person, kind, since, members }: AuditFiltersProps) {
  const navigate = useNavigate({ from: '/team/audit' });
  const choose = (change: {
    person?: string | undefined;
    kind?: AuditKind | undefined;
    since?: AuditSpan | undefined;
  }) => void navigate({ search: (current) => ({ ...current, ...change }), replace: true });
  const isFormer = person !== undefined && members.every(({ userId }) => userId !== person);
  return (
    <div className="flex flex-wrap items-center gap-2 border-b px-3 py-2.5">
      <Select
        aria-label="By whom"
        className="w-56 max-sm:w-full"
        value={person ?? ''}
        onChange={({ target }) => choose({ person: target.value === '' ? undefined : target.value })}
      >
        <option value="">Everybody</option>
        {members.map(({ userId, email }) => (
          <option key={userId} value={userId}>
            {email}
          </option>
        ))}
        {isFormer && <option value={person}>A former member</option>}
      </Select>
      <Select
        aria-label="About what"
        className="w-40 max-sm:flex-1"
        value={kind ?? ''}
        onChange={({ target }) => choose({ kind: AUDIT_KINDS.find((known) => known === target.value) })}
      >
        <option value="">Everything</option>
        {AUDIT_KINDS.map((value) => (
          <option key={value} value={value}>
            {KIND_LABELS[value]}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Since when"
        className="w-40 max-sm:flex-1"
        value={since ?? ''}
        onChange={({ target }) => choose({ since: AUDIT_SPANS.find((known) => known === target.value) })}
      >
        <option value="">All time</option>
        {AUDIT_SPANS.map((value) => (
          <option key={value} value={value}>
            {SPAN_LABELS[value]}
          </option>
        ))}
      </Select>
    </div>
  );
}
