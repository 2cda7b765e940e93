import { expect, it } from 'vitest';
import { formatHostile } from './format.ts';
import { findWorst, type HostileResult } from './measure.ts';

const round = (quietMs: number, attackedMs: number) => ({
  quiet: { p50Ms: 20, p99Ms: quietMs },
  attacked: { p50Ms: 21, p99Ms: attackedMs },
});

const results: HostileResult[] = [
  { name: 'slow disk', rounds: [round(24, 30), round(150, 31), round(25, 190)], peakMb: 700 },
  { name: 'flood', rounds: [round(24, 36), round(24, 33), round(24, 35)], peakMb: 300 },
];

it('the rise of an attack is the median of its rounds, and the worst attack counts', () => {
  expect(findWorst(results)).toEqual({ riseP99Ms: 11, peakMb: 700 });
});

it('the table shows the smallest and the largest rise of all rounds', () => {
  expect(formatHostile(results)).toContain('6.0 ms  -119.0 to 165.0 ms  700 MB');
});
