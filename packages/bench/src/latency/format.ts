import { getNamed } from '../result.ts';
import { median } from '../statistics.ts';
import { formatFixed, formatTable } from '../table.ts';
import { addedLatency, type LatencyRounds } from './measure.ts';

export function formatLatency(results: readonly LatencyRounds[]): string {
  const direct = getNamed(results, 'direct');
  const rows = results.map((result) => {
    const { rounds, name } = result;
    const added = result === direct ? { p50Ms: Number.NaN, p99Ms: Number.NaN } : addedLatency(result, direct);
    return [
      name,
      formatFixed(median(rounds.map(({ p50Ms }) => p50Ms)), 2, ' ms'),
      formatFixed(median(rounds.map(({ p99Ms }) => p99Ms)), 2, ' ms'),
      formatFixed(added.p50Ms, 2, ' ms'),
      formatFixed(added.p99Ms, 2, ' ms'),
    ];
  });
  return formatTable([['', 'p50', 'p99', 'added p50', 'added p99'], ...rows]);
}
