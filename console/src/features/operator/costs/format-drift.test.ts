import { expect, it } from 'vitest';
import { formatDrift } from './format-drift.ts';

it.each([
  [0, '0.0%'],
  [40, '0.0%'],
  [-499, '0.0%'],
  [10_880, '+1.1%'],
  [-500_000, '−50.0%'],
])('writes %d millionths as %s', (ppm, text) => {
  expect(formatDrift(ppm)).toBe(text);
});
