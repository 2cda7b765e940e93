import { expect, it } from 'vitest';
import { computeNoise } from './noise.ts';

const subject = (name: string, speeds: number[], othersShare: number) => ({
  name,
  answered: 1,
  memoryMb: { before: 1, after: 1 },
  rounds: speeds.map((requestsPerSecond) => ({
    requests: 1,
    requestsPerSecond,
    p50Ms: 1,
    p99Ms: 1,
    cpuShare: 1,
    ownUs: 1,
    workersUs: 0,
    othersShare,
  })),
});

it('takes the last subject as the reference, and what other programs used in all rounds', () => {
  const results = [subject('gateway', [1, 9, 5], 0.1), subject('5a0ec7e', [90, 120, 100], 0.3)];
  expect(computeNoise('bodies', results)).toEqual([
    { part: 'bodies', reference: '5a0ec7e', variation: 0.3, othersShare: 0.2 },
  ]);
  expect(computeNoise('bodies', [])).toEqual([]);
});
