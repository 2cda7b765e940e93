import { expect, it } from 'vitest';
import { describeTimeZone } from './time-zone.ts';

it.each([
  ['Europe/Berlin', '2026-11-21T03:20:52Z', 'Berlin (UTC+1)'],
  ['Europe/Berlin', '2026-07-21T03:20:52Z', 'Berlin (UTC+2)'],
  ['America/New_York', '2026-11-21T03:20:52Z', 'New York (UTC-5)'],
  ['Asia/Kolkata', '2026-11-21T03:20:52Z', 'Kolkata (UTC+5:30)'],
  ['UTC', '2026-11-21T03:20:52Z', 'UTC'],
])('names %s at %s %s', (timeZone, now, text) => {
  expect(describeTimeZone(new Date(now), timeZone)).toBe(text);
});
