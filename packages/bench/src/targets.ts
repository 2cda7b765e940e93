import { BUSY } from './host/background-load.ts';
import { median } from './statistics.ts';

/** A figure with a target, and how far it can be trusted. */
export interface Target {
  /** What was measured, without its value. */
  name: string;
  unit: string;
  decimals: number;
  /** The value of each round. */
  rounds: readonly number[];
  /** The target: at least or at most so much. */
  bound: 'at least' | 'at most';
  target: number;
  /** Whether the median of the rounds counts, or the worst of them. */
  counts: 'median' | 'worst';
  /** Share of the core that other programs used meanwhile; null: the figure does not depend on them. */
  othersShare: number | null;
}

/** `open`: no verdict can be given. */
type Outcome = 'pass' | 'fail' | 'open';

export interface TargetVerdict {
  outcome: Outcome;
  text: string;
}

/**
 * No verdict is given if the median is nearer to the target than the rounds are apart, or if other programs used the core: what
 * they take makes a time longer, so that only a passed limit of time holds nevertheless.
 */
export function judgeTarget(target: Target): TargetVerdict {
  const { name, rounds, bound, counts, unit, decimals, othersShare } = target;
  const [least, most] = [Math.min(...rounds), Math.max(...rounds)];
  const worst = bound === 'at least' ? least : most;
  const value = counts === 'median' ? median(rounds) : worst;
  const isMet = bound === 'at least' ? value >= target.target : value <= target.target;
  const spread = (most - least) / 2;
  const isDisturbed = othersShare !== null && othersShare > BUSY;
  const isNear = counts === 'median' && Math.abs(value - target.target) < spread;
  const show = (number: number) => number.toFixed(decimals);
  const limit = `${bound === 'at least' ? '≥' : '≤'} ${target.target}${unit}`;
  const seen = `${name}: ${show(value)}${unit}${rounds.length > 1 ? ` (${show(least)} to ${show(most)})` : ''}`;
  const reasons = [
    isNear ? `the rounds are further apart than the distance to the target` : '',
    isDisturbed ? `other programs used ${Math.round(othersShare * 100)} % of the core` : '',
  ].filter((reason) => reason !== '');
  const isTime = bound === 'at most';
  const isOpen = Number.isFinite(value) && (isNear || (isDisturbed && !(isTime && isMet)));
  const outcome: Outcome = isOpen ? 'open' : isMet ? 'pass' : 'fail';
  const why = isOpen ? `; no verdict: ${reasons.join(', ')}` : '';
  return { outcome, text: `${outcome.toUpperCase()}  ${seen} (target ${limit})${why}` };
}
