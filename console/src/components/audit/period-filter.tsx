import { RangeFields } from '../ui/range-fields.tsx';
import { Select } from '../ui/select.tsx';
import { AUDIT_SPANS, type AuditPeriod, type AuditSpan } from './period.ts';

const DAY_MS = 86_400_000;
const SPAN_LABELS: Record<AuditSpan, string> = {
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
};

interface PeriodFilterProps {
  period: AuditPeriod;
  /** Gets the fields that change. */
  onChange: (change: AuditPeriod) => void;
}

/** Period of an audit log: a span until now, or from one date to another. */
export function PeriodFilter({ period: { since, from, until }, onChange }: PeriodFilterProps) {
  const isCustom = from !== undefined || until !== undefined;
  return (
    <>
      <Select
        aria-label="Period"
        className="w-40 max-sm:min-w-36 max-sm:flex-1"
        value={isCustom ? 'custom' : (since ?? '')}
        onChange={({ target }) => onChange(toPeriod(target.value))}
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
        <RangeFields
          className="w-52 max-sm:flex-1"
          from={from}
          to={until}
          onFromChange={(next) => onChange({ from: next })}
          onToChange={(next) => onChange({ until: next })}
        />
      )}
    </>
  );
}

/** A custom range starts a day ago. */
function toPeriod(value: string): AuditPeriod {
  const none = { since: undefined, from: undefined, until: undefined };
  if (value === 'custom') return { ...none, from: new Date(Date.now() - DAY_MS).toISOString() };
  return { ...none, since: AUDIT_SPANS.find((known) => known === value) };
}
