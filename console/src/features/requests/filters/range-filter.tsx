import {
  DEFAULT_REQUEST_RANGE,
  findRangeStart,
  REQUEST_RANGES,
  type RequestRange,
} from '@tollgate/core/requests/request-filter';
import { RangeFields } from '../../../components/ui/range-fields.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { visitorTimeZone } from '../../../lib/format/time-zone.ts';
import type { RequestsSearch } from '../search.ts';
import { RANGE_LABELS } from './describe-range.ts';

type Span = Pick<RequestsSearch, 'range' | 'from' | 'to'>;

interface RangeFilterProps {
  span: Span;
  onChange: (span: Span) => void;
}

/** Time range of the log: relative to now, or from one date to another. */
export function RangeFilter({ span, onChange }: RangeFilterProps) {
  const { range = DEFAULT_REQUEST_RANGE, from, to } = span;
  const isCustom = from !== undefined || to !== undefined;
  const choose = (value: string) => {
    const chosen = REQUEST_RANGES.find((known) => known === value);
    if (chosen === undefined) onChange(customFrom(range));
    else
      onChange({
        range: chosen === DEFAULT_REQUEST_RANGE ? undefined : chosen,
        from: undefined,
        to: undefined,
      });
  };
  return (
    <>
      <Select
        aria-label="Time"
        value={isCustom ? 'custom' : range}
        onChange={(event) => choose(event.target.value)}
      >
        {REQUEST_RANGES.map((value) => (
          <option key={value} value={value}>
            {RANGE_LABELS[value]}
          </option>
        ))}
        <option value="custom">Custom range</option>
      </Select>
      {isCustom && (
        <RangeFields
          from={from}
          to={to}
          onFromChange={(next) => onChange({ range: undefined, from: next, to })}
          onToChange={(next) => onChange({ range: undefined, from, to: next })}
        />
      )}
    </>
  );
}

/** A custom range starts where the previous range started. */
function customFrom(range: RequestRange): Span {
  const start = findRangeStart(range, { timeZone: visitorTimeZone(), nowMs: Date.now() });
  return { range: undefined, from: new Date(start).toISOString(), to: undefined };
}
