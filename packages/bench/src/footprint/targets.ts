import { getNamed } from '../result.ts';
import type { Target } from '../targets.ts';
import type { FootprintRounds } from './measure.ts';

const READY_MS = 1_000;
const REST_MB = 130;
const LOADED_MB = 220;

/** @param othersShare share of the cores that other programs used: memory hardly depends on it, the start does */
export function targetFootprint(results: readonly FootprintRounds[], othersShare: number): Target[] {
  const { rounds } = getNamed(results, 'gateway');
  const memory = { unit: ' MB', decimals: 0, bound: 'at most', counts: 'median', othersShare: null } as const;
  return [
    {
      ...memory,
      name: 'ready after the start',
      unit: ' ms',
      rounds: rounds.map(({ readyMs }) => readyMs),
      target: READY_MS,
      othersShare,
    },
    { ...memory, name: 'memory at rest', rounds: rounds.map(({ restMb }) => restMb), target: REST_MB },
    {
      ...memory,
      name: 'memory under load',
      rounds: rounds.map(({ json, sse }) => Math.max(json.peakMb, sse.peakMb)),
      target: LOADED_MB,
    },
  ];
}
