import { median } from '../statistics.ts';
import type { Target } from '../targets.ts';
import { speedUps, type WorkersResult } from './measure.ts';

const OVER_ONE = 1.8;

/** Nothing can be said of a commit without workers, or if processes cannot be limited. */
export function targetWorkers(result: WorkersResult): Target[] {
  if (result.kind === 'none' || result.limited === null) return [];
  return result.limited.map((scenario) => ({
    name: `2 workers, ${scenario.name}`,
    unit: ' × 1 worker',
    decimals: 2,
    rounds: speedUps(scenario),
    bound: 'at least',
    target: OVER_ONE,
    counts: 'median',
    othersShare: median(
      [...scenario.one.rounds, ...scenario.two.rounds].map(({ othersShare }) => othersShare),
    ),
  }));
}
