const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const relativeNumeric = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
const absolute = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const absoluteExact = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

/** `20 December 2026, 16:05`, in the visitor's time zone. */
export function formatDateTime(date: Date): string {
  return absolute.format(date).replace(' at ', ', ');
}

/** `20 December 2026, 16:05:12 CET`: for a tooltip. */
export function formatExactDateTime(date: Date): string {
  return absoluteExact.format(date).replace(' at ', ', ');
}

/** `12 seconds ago`, `yesterday`, `in 3 days`. A clock that runs a little ahead of ours reads as `just now`. */
export function formatRelative(date: Date, nowMs: number): string {
  const deltaMs = date.getTime() - nowMs;
  const distanceMs = Math.abs(deltaMs);
  // What is past is counted in whole units; what is to come is rounded: 2.99 days are "in 3 days".
  const signed = (unitMs: number) => (deltaMs < 0 ? Math.ceil : Math.round)(deltaMs / unitMs);
  if (distanceMs < 5 * SECOND_MS) return 'just now';
  if (distanceMs < MINUTE_MS) return relativeNumeric.format(signed(SECOND_MS), 'second');
  if (distanceMs < HOUR_MS) return relativeNumeric.format(signed(MINUTE_MS), 'minute');
  if (distanceMs < DAY_MS) return relativeNumeric.format(signed(HOUR_MS), 'hour');
  if (distanceMs < 30 * DAY_MS) return relative.format(signed(DAY_MS), 'day');
  if (distanceMs < 365 * DAY_MS) return relative.format(signed(30 * DAY_MS), 'month');
  return relative.format(signed(365 * DAY_MS), 'year');
}

/** `1:05` for 65 seconds: a countdown. */
export function formatCountdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
