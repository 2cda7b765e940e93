import { expect, it } from 'vitest';
import { describeChange } from './change.ts';

it.each([
  [41.17, 44.75, 'down', '8%'],
  [3, 2, 'up', '50%'],
  [0, 2, 'down', '100%'],
  [1_000, 999, 'up', '< 1%'],
  [120, 10, 'up', '12×'],
  [990, 10, 'up', '99×'],
  [1_000, 10, 'up', null],
  [5, 0, 'up', null],
  [5, 5, 'same', 'unchanged'],
])('calls %d after %d %s by %s', (now, before, direction, text) => {
  expect(describeChange(now, before)).toEqual({ direction, text });
});
