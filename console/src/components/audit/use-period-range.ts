import { findLastDays } from '@tollgate/core/requests/last-days';
import { useState } from 'react';
import { visitorTimeZone } from '../../lib/format/time-zone.ts';
import type { AuditPeriod, AuditSpan } from './period.ts';

const DAY_MS = 86_400_000;
const SPAN_DAYS: Record<Exclude<AuditSpan, 'day'>, number> = { week: 7, month: 30 };

/** Query parameters of a period. A span ends when the page was opened, so pagination stays consistent. */
export function usePeriodRange({ since, from, until }: AuditPeriod): { from?: string; until?: string } {
  const [openedMs] = useState(() => Date.now());
  const spanFrom = since === undefined ? undefined : new Date(findStart(since, openedMs)).toISOString();
  const start = from === undefined && until === undefined ? spanFrom : from;
  return { ...(start !== undefined && { from: start }), ...(until !== undefined && { until }) };
}

function findStart(since: AuditSpan, nowMs: number): number {
  if (since === 'day') return nowMs - DAY_MS;
  return findLastDays({ days: SPAN_DAYS[since], timeZone: visitorTimeZone(), nowMs }).fromMs;
}
