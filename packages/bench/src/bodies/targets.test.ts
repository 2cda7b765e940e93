import { expect, it } from 'vitest';
import { judgeTarget } from '../targets.ts';
import type { Scenario } from './measure.ts';
import { targetBodies, targetSse } from './targets.ts';

const rounds = (speeds: number[], tail = 2) =>
  speeds.map((requestsPerSecond) => ({
    requests: 1_000,
    requestsPerSecond,
    p50Ms: 10,
    p99Ms: 10 * tail,
    cpuShare: 1,
    ownUs: 200,
    workersUs: 0,
    othersShare: 0,
  }));
const subject = (name: string, speeds: number[], tail?: number) => ({
  name,
  rounds: rounds(speeds, tail),
  answered: 1,
  memoryMb: { before: 1, after: 1 },
});

const scenario = (results: Scenario['results']): Scenario => ({ name: '20 kB', connections: 64, results });

it('compares with the other commit round by round, and the tail with the median', () => {
  const targets = targetBodies([
    scenario([subject('metered', [200, 380]), subject('5a0ec7e metered', [100, 200])]),
  ]);
  expect(targets.map((target) => judgeTarget(target).text)).toEqual([
    'PASS  bodies of 20 kB: 1.95 × 5a0ec7e metered (1.90 to 2.00) (target ≥ 1.8 × 5a0ec7e metered)',
    'PASS  bodies of 20 kB: p99 at 64 connections: 2.00 × p50 (2.00 to 2.00) (target ≤ 3 × p50)',
  ]);
});

it('fails a long tail, and compares nothing without another commit', () => {
  const targets = targetBodies([scenario([subject('metered', [100, 100], 4)])]);
  expect(targets.map((target) => judgeTarget(target).outcome)).toEqual(['fail']);
  expect(targetSse([scenario([subject('gateway', [100])])])).toEqual([]);
});
