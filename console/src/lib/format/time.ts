import { createZonedFormat } from './zoned-format.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const relativeNumeric = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
const dateOnly = createZonedFormat({ dateStyle: 'medium' });
const absolute = createZonedFormat({
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const absoluteExact = createZonedFormat({
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

/** `20 Dec 2026` in the reader's locale and time zone. */
export function formatDay(date: Date): string {
  return dateOnly.format(date);
}

/** `20 December 2026, 16:05` in the reader's locale and time zone. */
export function formatDateTime(date: Date): string {
  return absolute.format(date).replace(' at ', ', ');
}

/** `20 December 2026, 16:05:12 CET` in the reader's locale. For tooltips. */
export function formatExactDateTime(date: Date): string {
  return absoluteExact.format(date).replace(' at ', ', ');
}

/**
 * `12 seconds ago`, `yesterday`, `in 3 days`; the date beyond a week. A difference below 5 s reads `just now`, because
 * clocks differ.
 */
export function formatRelative(date: Date, nowMs: number): string {
  const deltaMs = date.getTime() - nowMs;
  const distanceMs = Math.abs(deltaMs);
  // Rounds past times down and future times to the nearest unit: 2.99 days are "in 3 days".
  const signed = (unitMs: number) => (deltaMs < 0 ? Math.ceil : Math.round)(deltaMs / unitMs);
  if (distanceMs < 5 * SECOND_MS) return 'just now';
  if (distanceMs < MINUTE_MS) return relativeNumeric.format(signed(SECOND_MS), 'second');
  if (distanceMs < HOUR_MS) return relativeNumeric.format(signed(MINUTE_MS), 'minute');
  if (distanceMs < DAY_MS) return relativeNumeric.format(signed(HOUR_MS), 'hour');
  if (distanceMs < WEEK_MS) return relative.format(signed(DAY_MS), 'day');
  return dateOnly.format(date);
}

/** Countdown text: `1:05` for 65 seconds. */
export function formatCountdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
