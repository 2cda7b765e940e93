import { expect, it } from 'vitest';
import { describeRate } from './error-rate.ts';

it.each([
  [0, 0, '0%'],
  [100, 0, '0%'],
  [1_000_000, 1, '< 0.01%'],
  [128_402, 270, '0.21%'],
  [1_000, 24, '2.4%'],
  [3, 3, '100%'],
])('of %d requests, %d that failed are %s', (requests, errors, text) => {
  expect(describeRate({ requests, errors })).toBe(text);
});
