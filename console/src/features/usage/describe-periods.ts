import { describeTimeZone } from '../../lib/format/time-zone.ts';
import type { UsageReport } from '../../lib/trpc.ts';

/** `14–20 Nov 2026, compared with 7–13 Nov 2026. Times in Berlin (UTC+1).` */
export function describePeriods({
  current,
  previous,
  timeZone,
}: Pick<UsageReport, 'timeZone'> & Record<'current' | 'previous', { from: string; to: string }>): string {
  const now = describeDays(current, timeZone);
  return `${now}, compared with ${describeDays(previous, timeZone)}. Times in ${describeTimeZone(new Date(current.to), timeZone)}.`;
}

/** The days of a period in the reader's locale, and its end hour unless that is midnight. */
export function describeDays(
  period: { from: string; to: string },
  timeZone: string,
  locale?: string,
): string {
  const days = new Intl.DateTimeFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  const clock = new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit' });
  const lastMs = Date.parse(period.to) - 1;
  const text = days.formatRange(new Date(period.from), new Date(lastMs)).replace(/\s–\s/, '–');
  const end = new Date(period.to);
  const isMidnight = isStartOfDay(end, timeZone);
  return isMidnight ? text : `${text} until ${clock.format(end)}`;
}

function isStartOfDay(date: Date, timeZone: string): boolean {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  return clock.format(date) === '00:00';
}
