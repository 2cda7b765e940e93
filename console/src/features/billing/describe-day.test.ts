import { expect, it } from 'vitest';
import { formatDay, summarizeDay } from './describe-day.ts';

it('names a day in the time zone of the reader', () => {
  expect(formatDay('2026-11-27T23:00:00.000Z', 'Europe/Berlin', 'en-GB')).toBe('28 Nov 2026');
  expect(formatDay('2026-11-28T05:00:00.000Z', 'America/New_York', 'en-GB')).toBe('28 Nov 2026');
});

it('sums up the kinds of entries of a day', () => {
  const usage = { kind: 'usage', entries: 48, changeNanoUsd: '-1230000000' } as const;
  const topUps = { kind: 'top_up', entries: 2, changeNanoUsd: '40000000000' } as const;
  expect(summarizeDay({ sums: [usage] })).toBe('Usage');
  expect(summarizeDay({ sums: [topUps, usage] })).toBe('2 × Top-up +$40.00, Usage −$1.23');
});
