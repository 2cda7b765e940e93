import { expect, it } from 'vitest';
import { countWorkers } from './count-workers.ts';

const GIB = 1024 ** 3;

it('starts as many workers as the setting says', () => {
  expect(countWorkers(3, { cores: 1, memoryBytes: GIB / 4 })).toBe(3);
});

it.each([
  { cores: 4, memoryBytes: 8 * GIB, workers: 4 },
  { cores: 1, memoryBytes: 8 * GIB, workers: 1 },
  { cores: 4, memoryBytes: GIB, workers: 2 },
  { cores: 4, memoryBytes: GIB / 4, workers: 1 },
  { cores: 64, memoryBytes: 256 * GIB, workers: 8 },
])('with auto, $cores cores and $memoryBytes bytes, starts $workers', ({ workers, ...machine }) => {
  expect(countWorkers('auto', machine)).toBe(workers);
});
