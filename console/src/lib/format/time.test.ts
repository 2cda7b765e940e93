import { describe, expect, it } from 'vitest';
import { formatCountdown, formatRelative } from './time.ts';

const NOW_MS = Date.parse('2026-11-20T16:05:00Z');
const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('formatRelative', () => {
  it.each([
    [0, 'just now'],
    [4 * SECOND_MS, 'just now'],
    [-4 * SECOND_MS, 'just now'],
    [-12 * SECOND_MS, '12 seconds ago'],
    [-61 * SECOND_MS, '1 minute ago'],
    [-59 * 60 * SECOND_MS, '59 minutes ago'],
    [-23.9 * HOUR_MS, '23 hours ago'],
    [-25 * HOUR_MS, 'yesterday'],
    [-3.9 * DAY_MS, '3 days ago'],
    [2.99 * DAY_MS, 'in 3 days'],
    [1.01 * DAY_MS, 'tomorrow'],
    [5.2 * HOUR_MS, 'in 5 hours'],
  ])('formats %i ms from now as "%s"', (deltaMs, text) => {
    expect(formatRelative(new Date(NOW_MS + deltaMs), NOW_MS)).toBe(text);
  });

  it('formats times more than a week away as a date', () => {
    const date = new Date(NOW_MS - 8 * DAY_MS);
    const text = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(date);
    expect(formatRelative(date, NOW_MS)).toBe(text);
  });
});

it('counts down in minutes and seconds', () => {
  expect([0, 5, 60, 65].map(formatCountdown)).toEqual(['0:00', '0:05', '1:00', '1:05']);
});
