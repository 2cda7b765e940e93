import { expect, it } from 'vitest';
import { describeDays } from './describe-periods.ts';

it.each([
  ['2026-11-13T23:00:00Z', '2026-11-20T23:00:00Z', /^14.20 Nov 2026$/],
  ['2026-11-06T23:00:00Z', '2026-11-13T15:00:00Z', /^7.13 Nov 2026 until 16:00$/],
  ['2026-11-19T23:00:00Z', '2026-11-20T23:00:00Z', /^20 Nov 2026$/],
  ['2025-11-30T23:00:00Z', '2026-11-20T23:00:00Z', /^1 Dec 2025.20 Nov 2026$/],
])('describes the days from %s to %s in the time zone of Berlin', (from, to, text) => {
  expect(describeDays({ from, to }, 'Europe/Berlin', 'en-GB')).toMatch(text);
});

it('writes the days and the hour as the locale of the reader does', () => {
  const period = { from: '2026-11-06T00:00:00Z', to: '2026-11-13T15:00:00Z' };
  expect(describeDays(period, 'UTC', 'en-US')).toMatch(/^Nov 6.13, 2026 until 03:00.PM$/);
});
