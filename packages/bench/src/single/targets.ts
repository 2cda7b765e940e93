import { getNamed } from '../result.ts';
import type { Target } from '../targets.ts';
import { addedTimes, type SingleRounds } from './measure.ts';

const ADDED_P50_MS = 0.3;
const ADDED_P99_MS = 3;

/** @param othersShare share of the cores that other programs used */
export function targetSingle(results: readonly SingleRounds[], othersShare: number): Target[] {
  const [direct, gateway] = [getNamed(results, 'direct'), getNamed(results, 'gateway')];
  const common = { unit: ' ms', decimals: 3, bound: 'at most', counts: 'median', othersShare } as const;
  const added = (name: string, when: 'quiet' | 'afterFlood', share: 'p50Ms' | 'p99Ms', target: number) => ({
    ...common,
    name,
    target,
    rounds: addedTimes(gateway, direct, when, share),
  });
  return [
    added('one request at a time: added at p50', 'quiet', 'p50Ms', ADDED_P50_MS),
    added('one request at a time: added at p99', 'quiet', 'p99Ms', ADDED_P99_MS),
    added('directly after a flood: added at p99', 'afterFlood', 'p99Ms', ADDED_P99_MS),
  ];
}
