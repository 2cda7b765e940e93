import { expect, it } from 'vitest';
import { describeLastDays } from './last-days.ts';

it('names the first moment of the last days and the time zone', () => {
  const nowMs = Date.parse('2026-11-28T23:30:00Z');
  expect(describeLastDays(30, { nowMs, timeZone: 'Europe/Berlin', locale: 'en-GB' })).toBe(
    'From 31 Oct 2026, 00:00 until now, in Berlin (UTC+1)',
  );
  expect(describeLastDays(1, { nowMs, timeZone: 'UTC', locale: 'en-GB' })).toBe(
    'From 28 Nov 2026, 00:00 until now, in UTC',
  );
});
