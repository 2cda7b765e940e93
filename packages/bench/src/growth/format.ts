import { median } from '../statistics.ts';
import { formatCount, formatFixed, formatTable } from '../table.ts';
import { COST_HEADER, formatCost } from '../throughput/format.ts';
import type { SubjectRounds } from '../throughput/rounds.ts';
import { ACTIVE_KEYS, computeGrowth, type GrowthResult } from './measure.ts';

export function formatGrowth(result: GrowthResult): string {
  const { few, manyKeys, manyRequests } = result;
  const row = (subject: SubjectRounds, keys: number, requests: number) => {
    const { costRatio, throughputRatio } = computeGrowth(subject, few);
    return [
      subject.name,
      formatCount(keys),
      formatCount(requests),
      formatCount(median(subject.rounds.map((round) => round.requestsPerSecond))),
      formatFixed(throughputRatio, 2),
      ...formatCost(subject),
      formatFixed(costRatio, 2),
    ];
  };
  return formatTable([
    ['', 'keys', 'past requests', 'req/s', '× few', ...COST_HEADER, '× few'],
    row(few, ACTIVE_KEYS, 0),
    row(manyKeys, result.keys, 0),
    row(manyRequests, ACTIVE_KEYS, result.pastRequests),
  ]);
}
