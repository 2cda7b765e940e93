import { expect, it } from 'vitest';
import { findLastDays, timeZoneSchema } from './last-days.ts';

const find = (days: number, timeZone: string, now: string) => {
  const { fromMs, toMs } = findLastDays({ days, timeZone, nowMs: Date.parse(now) });
  return [fromMs, toMs].map((ms) => new Date(ms).toISOString());
};

it('counts days of the calendar, with today as the last', () => {
  expect(find(1, 'UTC', '2026-11-28T07:00:00Z')).toEqual([
    '2026-11-28T00:00:00.000Z',
    '2026-11-29T00:00:00.000Z',
  ]);
  expect(find(30, 'America/New_York', '2026-11-28T03:00:00Z')).toEqual([
    '2026-10-29T04:00:00.000Z',
    '2026-11-28T05:00:00.000Z',
  ]);
});

it('begins with the first hour of a day whose midnight clocks skip', () => {
  expect(find(1, 'Asia/Beirut', '2026-03-29T12:00:00Z')[0]).toBe('2026-03-28T22:00:00.000Z');
});

it('knows time zones by name only', () => {
  expect(timeZoneSchema.safeParse('Asia/Kolkata').success).toBe(true);
  expect(timeZoneSchema.safeParse('+05:30').success).toBe(false);
  expect(timeZoneSchema.safeParse('Europe/Atlantis').success).toBe(false);
});
