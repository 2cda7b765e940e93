import { getNamed } from '../result.ts';
import { median } from '../statistics.ts';
import { formatCount, formatFixed, formatTable } from '../table.ts';
import { addedDelay, type StreamRounds } from './measure.ts';

export function formatStreams(results: readonly StreamRounds[]): string {
  const header = ['', 'chunks/s', 'p50', 'p99', 'added p50', 'added p99', 'lost', 'core used', 'memory'];
  const direct = getNamed(results, 'direct');
  const rows = results.map((result) => {
    const mid = (pick: (round: StreamRounds['rounds'][number]) => number) => median(result.rounds.map(pick));
    const added = result === direct ? { p50Ms: Number.NaN, p99Ms: Number.NaN } : addedDelay(result, direct);
    return [
      result.name,
      formatCount(mid((round) => round.chunksPerSecond)),
      formatFixed(
        mid((round) => round.delayMs.p50),
        2,
        ' ms',
      ),
      formatFixed(
        mid((round) => round.delayMs.p99),
        2,
        ' ms',
      ),
      formatFixed(added.p50Ms, 2, ' ms'),
      formatFixed(added.p99Ms, 2, ' ms'),
      formatCount(result.rounds.reduce((sum, round) => sum + round.lost, 0)),
      formatFixed(mid((round) => round.usage?.cpuShare ?? Number.NaN) * 100, 0, ' %'),
      formatFixed(Math.max(...result.rounds.map((round) => round.usage?.peakMb ?? Number.NaN)), 0, ' MB'),
    ];
  });
  return formatTable([header, ...rows]);
}
