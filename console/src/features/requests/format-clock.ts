import { createZonedFormat } from '../../lib/format/zoned-format.ts';

const time = createZonedFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' }, 'en-GB');
// The clock has 24 hours, so that the column is narrow and aligned.
const day = createZonedFormat({ day: 'numeric', month: 'short' });
const dayAndMinute = createZonedFormat({
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** `16:05:12` for today, `21 Nov 16:05:12` for other days, in the user's time zone. */
export function formatClock(date: Date, nowMs: number): string {
  const isToday = day.format(date) === day.format(nowMs) && nowMs - date.getTime() < 86_400_000;
  return isToday ? time.format(date) : `${day.format(date)} ${time.format(date)}`;
}

/** `21 Nov, 16:05`, in the user's time zone. */
export function formatMinute(date: Date): string {
  return dayAndMinute.format(date);
}

/** `2026-11-21 15:05:12.431 UTC`, in any time zone. */
export function formatUtcExact(date: Date): string {
  return `${date.toISOString().replace('T', ' ').replace('Z', '')} UTC`;
}
