import { findLastDays } from '@tollgate/core/requests/last-days';
import { describeTimeZone, visitorTimeZone } from './time-zone.ts';

/** The exact range of the last days: `From 30 Oct 2026, 00:00 until now, in Berlin (UTC+1)`. */
export function describeLastDays(
  days: number,
  {
    nowMs = Date.now(),
    timeZone = visitorTimeZone(),
    locale,
  }: { nowMs?: number; timeZone?: string; locale?: string } = {},
): string {
  const { fromMs } = findLastDays({ days, timeZone, nowMs });
  const start = new Intl.DateTimeFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  return `From ${start.format(fromMs)} until now, in ${describeTimeZone(new Date(nowMs), timeZone)}`;
}
