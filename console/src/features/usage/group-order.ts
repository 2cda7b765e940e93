import type { GroupTimes, UsageReport } from '../../lib/trpc.ts';

export const GROUP_COLUMNS = [
  'name',
  'spend',
  'before',
  'requests',
  'failed',
  'input',
  'output',
  'latency',
  'first-token',
] as const;
export type GroupColumn = (typeof GROUP_COLUMNS)[number];

type Group = UsageReport['groups'][number];
export type TimesById = ReadonlyMap<string, GroupTimes['groups'][number]>;

/** Less than 0 if the left one comes first, from the smallest on. */
export function compareGroups(left: Group, right: Group, by: GroupColumn, times: TimesById): number {
  switch (by) {
    case 'name':
      return (left.name ?? left.id).localeCompare(right.name ?? right.id);
    case 'spend':
      return compareAmounts(left.figures.costNanoUsd, right.figures.costNanoUsd);
    case 'before':
      return compareAmounts(left.previous.costNanoUsd, right.previous.costNanoUsd);
    case 'requests':
      return left.figures.requests - right.figures.requests;
    case 'failed':
      return failedShare(left) - failedShare(right);
    case 'input':
      return left.figures.inputTokens - right.figures.inputTokens;
    case 'output':
      return left.figures.outputTokens - right.figures.outputTokens;
    case 'latency':
      return computeMedian(times, left, 'latency') - computeMedian(times, right, 'latency');
    case 'first-token':
      return computeMedian(times, left, 'firstByte') - computeMedian(times, right, 'firstByte');
  }
}

/** Groups without times sort last. */
function computeMedian(times: TimesById, { id }: Group, of: 'latency' | 'firstByte'): number {
  return times.get(id)?.[of].p50Ms ?? -1;
}

function failedShare({ figures: { requests, errors } }: Group): number {
  return requests === 0 ? 0 : errors / requests;
}

/** Amounts may be larger than numbers are exact. */
function compareAmounts(left: string, right: string): number {
  const difference = BigInt(left) - BigInt(right);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
