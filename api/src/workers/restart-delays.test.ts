import { expect, it } from 'vitest';
import { RestartDelays } from './restart-delays.ts';

it('doubles the wait up to a maximum, and forgets exits of long ago', () => {
  const delays = new RestartDelays();
  const waits = Array.from({ length: 9 }, (_, index) => delays.next(index * 1_000));
  expect(waits).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 15_000]);
  expect(delays.next(100_000)).toBe(100);
});
