import { z } from 'zod';
import { createWallClock, findMoment } from './wall-clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** An IANA name. Offsets such as `+05:30` are none: PostgreSQL reads their sign the other way round. */
export const timeZoneSchema = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][A-Za-z0-9_+\-/]*$/, 'Unknown time zone.')
  .refine(isTimeZone, 'Unknown time zone.');

/** The header in which the console names the reader's time zone with each procedure. */
export const TIME_ZONE_HEADER = 'x-time-zone';

/** From `fromMs` until before `toMs`, in milliseconds since 1970. */
export interface DayRange {
  fromMs: number;
  toMs: number;
}

/**
 * The exact range of "last 7 days", "last 30 days" and "today" (one day) on all pages and in the command line: days of
 * the calendar in a time zone, with today as the last one. `findUsagePeriods` in `db` computes the same in SQL.
 * @throws RangeError if the time zone is unknown
 */
export function findLastDays(query: { days: number; timeZone: string; nowMs: number }): DayRange {
  const { days, timeZone, nowMs } = query;
  const clock = createWallClock(timeZone);
  const today = Math.floor(clock(nowMs) / DAY_MS) * DAY_MS;
  return {
    fromMs: findMoment(today - (days - 1) * DAY_MS, clock),
    toMs: findMoment(today + DAY_MS, clock),
  };
}

/**
 * The first whole hour of UTC in {@link findLastDays}. Usage is kept by these hours, so if days begin at half past, the hour
 * before counts to the day before.
 */
export function findFirstHour(query: Parameters<typeof findLastDays>[0]): number {
  return Math.ceil(findLastDays(query).fromMs / HOUR_MS) * HOUR_MS;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
