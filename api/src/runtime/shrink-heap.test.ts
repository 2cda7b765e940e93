import { getHeapSpaceStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { shrinkHeap } from './shrink-heap.ts';

const youngBytes = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;

it('returns the memory of the young generation', () => {
  const kept: object[] = [];
  while (youngBytes() < 8_000_000) kept.push({ at: kept.length });
  shrinkHeap();
  expect(youngBytes()).toBeLessThan(4_000_000);
});
