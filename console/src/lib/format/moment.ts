import { createZonedFormat } from './zoned-format.ts';

const local = createZonedFormat({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const localClock = createZonedFormat({ hour: '2-digit', minute: '2-digit' });
const localHour = createZonedFormat({
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

const HOUR_MS = 3_600_000;

/** `21 Nov 2026, 04:20`, in the reader's locale and time zone. */
export function formatLocal(date: Date): string {
  return local.format(date);
}

/** `2026-11-21 03:20:52 UTC`. */
export function formatUtc(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** The hour that starts at `date`: `20 Nov, 23:00–00:00`. */
export function formatHour(date: Date): string {
  const end = localClock.format(new Date(date.getTime() + HOUR_MS));
  return `${localHour.format(date)}–${end}`;
}
