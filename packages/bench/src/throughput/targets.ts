import { median } from '../statistics.ts';
import type { Target } from '../targets.ts';
import type { SubjectRounds } from './rounds.ts';

const JSON_OVER_OTHER = 1.35;
const JSON_OVER_BARE = 0.95;
const METERED_OVER_OPEN = 0.9;

/** Small JSON requests: the gateway, the bare proxy and the other commit if there is one. */
export function targetThroughput(results: readonly SubjectRounds[], against: string | null): Target[] {
  return [
    ...compareSpeed(results, { name: 'small JSON', own: 'gateway', other: 'bare', target: JSON_OVER_BARE }),
    ...(against === null
      ? []
      : compareSpeed(results, {
          name: 'small JSON',
          own: 'gateway',
          other: against,
          target: JSON_OVER_OTHER,
        })),
  ];
}

export function targetMetered(results: readonly SubjectRounds[]): Target[] {
  const names = { name: 'small JSON, metered', own: 'metered', other: 'gateway' };
  return compareSpeed(results, { ...names, target: METERED_OVER_OPEN });
}

interface Comparison {
  name: string;
  /** Names of results. */
  own: string;
  other: string;
  target: number;
}

/** The requests per second of one result over those of another; nothing if one of them was not measured. */
export function compareSpeed(
  results: readonly SubjectRounds[],
  { name, own, other, target }: Comparison,
): Target[] {
  const first = results.find((result) => result.name === own);
  const second = results.find((result) => result.name === other);
  if (first === undefined || second === undefined) return [];
  return [
    {
      name,
      unit: ` × ${other}`,
      decimals: 2,
      rounds: first.rounds.map(
        (round, at) => round.requestsPerSecond / (second.rounds[at]?.requestsPerSecond ?? Number.NaN),
      ),
      bound: 'at least',
      target,
      counts: 'median',
      othersShare: Math.max(getShare(first), getShare(second)),
    },
  ];
}

/** What other programs used of the core, in the median of the rounds. */
export function getShare({ rounds }: SubjectRounds): number {
  return median(rounds.map(({ othersShare }) => othersShare));
}
