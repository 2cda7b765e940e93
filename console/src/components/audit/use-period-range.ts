import { useState } from 'react';
import type { AuditPeriod, AuditSpan } from './period.ts';

const DAY_MS = 86_400_000;
const SPAN_MS: Record<AuditSpan, number> = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS };

/** Query parameters of a period. A span ends when the page was opened, so pagination stays consistent. */
export function usePeriodRange({ since, from, until }: AuditPeriod): { from?: string; until?: string } {
  const [openedMs] = useState(() => Date.now());
  const spanFrom = since === undefined ? undefined : new Date(openedMs - SPAN_MS[since]).toISOString();
  const start = from === undefined && until === undefined ? spanFrom : from;
  return { ...(start !== undefined && { from: start }), ...(until !== undefined && { until }) };
}
