import { DEFAULT_REQUEST_RANGE, type RequestRange } from '@tollgate/core/requests/request-filter';
import type { RequestsSearch } from '../search.ts';
import { formatMinute } from '../format-clock.ts';

export const RANGE_LABELS: Record<RequestRange, string> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
};

/** The range of the log for use in a sentence: `the last 7 days`, `21 Nov, 16:05 to 22 Nov, 09:00`. */
export function describeRange({ range, from, to }: Pick<RequestsSearch, 'range' | 'from' | 'to'>): string {
  if (from === undefined && to === undefined)
    return `the ${RANGE_LABELS[range ?? DEFAULT_REQUEST_RANGE].replace('Last', 'last')}`;
  const start = from === undefined ? 'earlier' : formatMinute(new Date(from));
  return `${start} to ${to === undefined ? 'now' : formatMinute(new Date(to))}`;
}
