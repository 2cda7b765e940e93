import { median } from '../statistics.ts';
import { formatCount, formatFixed, formatTable } from '../table.ts';
import { formatCost, COST_HEADER } from '../throughput/format.ts';
import { costRatio, speedRatio } from '../throughput/rounds.ts';
import type { Scenario } from './measure.ts';

/** Two lines for each load if another commit is compared: the second result of a load is that commit's. */
export function formatScenarios(scenarios: readonly Scenario[]): string {
  const rows = scenarios.flatMap(({ name, connections, results }) => {
    const base = results[1];
    return results.map((result) => {
      const mid = (pick: (round: (typeof result.rounds)[number]) => number) =>
        median(result.rounds.map(pick));
      return [
        `${name}, ${connections} connections: ${result.name}`,
        formatCount(mid(({ requestsPerSecond }) => requestsPerSecond)),
        formatFixed(base === undefined ? Number.NaN : speedRatio(result, base), 2),
        formatFixed(base === undefined ? Number.NaN : costRatio(result, base), 2),
        formatFixed(
          mid(({ p50Ms }) => p50Ms),
          1,
          ' ms',
        ),
        formatFixed(
          mid(({ p99Ms }) => p99Ms),
          1,
          ' ms',
        ),
        formatFixed(
          mid(({ p50Ms, p99Ms }) => p99Ms / p50Ms),
          2,
        ),
        formatFixed(mid(({ cpuShare }) => cpuShare) * 100, 0, ' %'),
        ...formatCost(result),
        `${formatFixed(result.memoryMb.before, 0)} → ${formatFixed(result.memoryMb.after, 0)} MB`,
      ];
    });
  });
  return formatTable([
    [
      '',
      'req/s',
      '× other',
      'per time × other',
      'p50',
      'p99',
      'p99 / p50',
      'core used',
      ...COST_HEADER,
      'memory',
    ],
    ...rows,
  ]);
}
