import { DEFAULT_REQUEST_RANGE } from '@tollgate/core/requests/request-filter';
import { LastDays } from '../../../components/ui/last-days.tsx';
import type { RequestsSearch } from '../search.ts';
import { describeRange } from './describe-range.ts';

const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;

/** The range of the log; if it is named in days, hover and focus show when it begins. */
export function ShownRange(span: Pick<RequestsSearch, 'range' | 'from' | 'to'>) {
  const { range = DEFAULT_REQUEST_RANGE, from, to } = span;
  const text = describeRange(span);
  if (from !== undefined || to !== undefined || range === '1h' || range === '24h') return text;
  return <LastDays days={DAYS[range]}>{text}</LastDays>;
}
