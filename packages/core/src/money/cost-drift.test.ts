import { expect, it } from 'vitest';
import { computeDriftPpm, isDrifting } from './cost-drift.ts';

it.each([
  [110n, 100n, 90_909],
  [100n, 110n, -90_909],
  [3n, 2n, 333_333],
  [2n, 3n, -333_333],
  [0n, 5n, -1_000_000],
  [5n, 0n, 1_000_000],
  [0n, 0n, null],
])('compares %s reported with %s computed', (reportedNanoUsd, computedNanoUsd, ppm) => {
  expect(computeDriftPpm({ reportedNanoUsd, computedNanoUsd })).toBe(ppm);
});

it('needs a look above 1 % in either direction', () => {
  expect([10_000, 10_001, -10_000, -10_001].map(isDrifting)).toEqual([false, true, false, true]);
});
