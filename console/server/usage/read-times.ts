import { LATENCY_BOUNDS_MS, quantileMs } from '@tollgate/core/requests/latency';
import type { Database } from '@tollgate/db/client';
import type { UsageRange } from '@tollgate/db/queries/usage/report/filter';
import type { UsageBucket, UsagePeriods } from '@tollgate/db/queries/usage/report/periods';
import { readUsageTimes, type UsageTime } from '@tollgate/db/queries/usage/report/times';

/** The quantiles of how long requests took, within the width of a bucket of `LATENCY_BOUNDS_MS`; null: none is known. */
export interface Quantiles {
  p50Ms: number | null;
  p95Ms: number | null;
}

export interface Times extends Quantiles {
  /** Of each bucket of the current period. */
  points: Quantiles[];
  previous: Quantiles;
}

interface TimesQuery {
  range: UsageRange;
  previousRange: UsageRange;
  periods: UsagePeriods;
  bucket: UsageBucket;
  timeZone: string;
}

/** How long requests took in a period, in each of its buckets, and in the period before. */
export async function readTimes(db: Database, of: UsageTime, query: TimesQuery): Promise<Times> {
  const { range, previousRange, periods, bucket, timeZone } = query;
  const [cells, before] = await Promise.all([
    readUsageTimes(db, { of, range, bucket, timeZone }),
    readUsageTimes(db, { of, range: previousRange, bucket: 'month', timeZone }),
  ]);
  const byStart = new Map(cells.map((cell) => [cell.startMs, cell.counts]));
  return {
    ...toQuantiles(addCounts(cells.map(({ counts }) => counts))),
    points: periods.current.starts.map((start) => toQuantiles(byStart.get(start.getTime()) ?? [])),
    previous: toQuantiles(addCounts(before.map(({ counts }) => counts))),
  };
}

export function toQuantiles(counts: number[]): Quantiles {
  return { p50Ms: quantileMs(counts, 0.5), p95Ms: quantileMs(counts, 0.95) };
}

export function addCounts(all: readonly (readonly number[])[]): number[] {
  return Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, (_, bucket) =>
    all.reduce((sum, counts) => sum + (counts[bucket] ?? 0), 0),
  );
}
