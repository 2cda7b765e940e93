import type { Target } from '../targets.ts';
import type { StallRounds } from './measure.ts';

const LONGEST_MS = 5;

/**
 * The working tree's longest stall by the clock, and in processor time of its main thread, which other programs do not change.
 * @param othersShare share of the cores that other programs used
 */
export function targetStall(results: readonly StallRounds[], othersShare: number): Target[] {
  const own = results.filter(({ name }) => name === 'gateway');
  const describe = (name: string, pick: (round: StallRounds['rounds'][number]) => number) => {
    const worst = own
      .map(({ load, rounds }) => ({ load, ms: rounds.map(pick) }))
      .toSorted((a, b) => Math.max(...b.ms) - Math.max(...a.ms))[0];
    return { name: `${name} (${worst?.load ?? 'nothing'})`, rounds: worst?.ms ?? [Number.NaN] };
  };
  const target = {
    unit: ' ms',
    decimals: 1,
    bound: 'at most',
    target: LONGEST_MS,
    counts: 'worst',
  } as const;
  return [
    { ...target, ...describe('longest stall', ({ longest }) => longest.wallMs), othersShare },
    {
      ...target,
      ...describe('longest stall in processor time', ({ busiest }) => busiest.cpuMs),
      othersShare: null,
    },
  ];
}
