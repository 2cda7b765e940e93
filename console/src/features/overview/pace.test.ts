import { expect, it } from 'vitest';
import { describeSpan, lastsForMs } from './pace.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

it('estimates how long the rest lasts at the pace of a period', () => {
  expect(lastsForMs(100n, 50n, 7 * DAY_MS)).toBe(14 * DAY_MS);
  expect(lastsForMs(9_007_199_254_740_993_000n, 9_007_199_254_740_993_000n, DAY_MS)).toBe(DAY_MS);
});

it('foresees nothing if nothing is spent or left, after moments, and for years', () => {
  expect(lastsForMs(100n, 0n, DAY_MS)).toBeNull();
  expect(lastsForMs(0n, 5n, DAY_MS)).toBeNull();
  expect(lastsForMs(-1n, 5n, DAY_MS)).toBeNull();
  expect(lastsForMs(100n, 5n, HOUR_MS / 2)).toBeNull();
  expect(lastsForMs(1_000n, 1n, DAY_MS)).toBeNull();
});

it.each([
  [HOUR_MS / 2, 'less than an hour'],
  [HOUR_MS, '1 hour'],
  [47.9 * HOUR_MS, '47 hours'],
  [2 * DAY_MS, '2 days'],
  [31.9 * DAY_MS, '31 days'],
])('calls %d ms %s', (spanMs, text) => {
  expect(describeSpan(spanMs)).toBe(text);
});
