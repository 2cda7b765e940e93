import { getNamed } from '../result.ts';
import { median } from '../statistics.ts';
import { formatCount, formatFixed, formatTable } from '../table.ts';
import { speedRatio, type SubjectRounds } from './rounds.ts';

/** @param bases names of the reference subjects */
export function formatThroughput(results: readonly SubjectRounds[], bases: readonly string[]): string {
  const header = ['', 'req/s', ...bases.map((base) => `× ${base}`), 'p50', 'p99', 'core used'];
  const rows = results.map((result) => {
    const mid = computeMedian(result);
    return [
      result.name,
      formatCount(mid((round) => round.requestsPerSecond)),
      ...bases.map((base) => formatFixed(speedRatio(result, getNamed(results, base)), 3)),
      formatFixed(
        mid(({ p50Ms }) => p50Ms),
        2,
        ' ms',
      ),
      formatFixed(
        mid(({ p99Ms }) => p99Ms),
        2,
        ' ms',
      ),
      formatFixed(mid(({ cpuShare }) => cpuShare) * 100, 0, ' %'),
      ...formatCost(result),
      `${formatFixed(result.memoryMb.before, 0)} → ${formatFixed(result.memoryMb.after, 0)} MB`,
    ];
  });
  return formatTable([[...header, ...COST_HEADER, 'memory'], ...rows]);
}

export const COST_HEADER = ['own time', 'database time'];

/** The processor time of a request: the server's own and that of its database connection. */
export function formatCost(result: SubjectRounds): string[] {
  const mid = computeMedian(result);
  const workersUs = mid((round) => round.workersUs);
  return [
    formatFixed(
      mid((round) => round.ownUs),
      0,
      ' µs',
    ),
    formatFixed(workersUs === 0 ? Number.NaN : workersUs, 0, ' µs'),
  ];
}

type Round = SubjectRounds['rounds'][number];

function computeMedian(result: SubjectRounds): (pick: (round: Round) => number) => number {
  return (pick) => median(result.rounds.map(pick));
}
