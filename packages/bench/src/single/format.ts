import { getNamed } from '../result.ts';
import { median } from '../statistics.ts';
import { formatFixed, formatTable } from '../table.ts';
import { addedTimes, type SingleRounds } from './measure.ts';

export function formatSingle(results: readonly SingleRounds[]): string {
  const direct = getNamed(results, 'direct');
  const ms = (value: number) => formatFixed(value, 3, ' ms');
  const rows = results.map((result) => {
    const added = (when: 'quiet' | 'afterFlood', share: 'p50Ms' | 'p99Ms') =>
      result === direct ? '-' : ms(median(addedTimes(result, direct, when, share)));
    return [
      result.name,
      ms(median(result.quiet.map(({ p50Ms }) => p50Ms))),
      ms(median(result.quiet.map(({ p99Ms }) => p99Ms))),
      added('quiet', 'p50Ms'),
      added('quiet', 'p99Ms'),
      added('afterFlood', 'p50Ms'),
      added('afterFlood', 'p99Ms'),
    ];
  });
  return formatTable([
    ['', 'p50', 'p99', 'added p50', 'added p99', 'after a flood p50', 'after a flood p99'],
    ...rows,
  ]);
}
