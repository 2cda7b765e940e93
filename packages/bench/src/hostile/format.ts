import { median } from '../statistics.ts';
import { formatFixed, formatTable } from '../table.ts';
import { p99Rises, type HostileResult } from './measure.ts';

/** Times are the medians of the rounds. */
export function formatHostile(results: readonly HostileResult[]): string {
  const rows = results.map((result) => {
    const ms = (when: 'quiet' | 'attacked', share: 'p50Ms' | 'p99Ms') =>
      formatFixed(median(result.rounds.map((round) => round[when][share])), 1, ' ms');
    const rises = p99Rises(result);
    return [
      result.name,
      ms('quiet', 'p50Ms'),
      ms('quiet', 'p99Ms'),
      ms('attacked', 'p50Ms'),
      ms('attacked', 'p99Ms'),
      formatFixed(median(rises), 1, ' ms'),
      `${Math.min(...rises).toFixed(1)} to ${Math.max(...rises).toFixed(1)} ms`,
      formatFixed(result.peakMb, 0, ' MB'),
    ];
  });
  return formatTable([
    ['', 'quiet p50', 'quiet p99', 'attacked p50', 'attacked p99', 'rise p99', 'all rounds', 'memory'],
    ...rows,
  ]);
}
