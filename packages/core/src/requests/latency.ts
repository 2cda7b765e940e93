/**
 * Where the buckets of times end, in milliseconds: from 10 ms to 10 minutes in 27 steps of about x1.5, so that whatever
 * is read from them is off by less than a third or by half at most, be it the start of a stream or a long answer, and
 * two such lists still fit beside the sums of an hour. One more bucket holds what took longer. The function
 * `time_bucket` of the database has the same bounds; what is stored is counted by them, so they never change.
 */
export const LATENCY_BOUNDS_MS: readonly number[] = [
  10, 15, 23, 34, 51, 77, 115, 173, 260, 391, 588, 884, 1329, 1998, 3003, 4514, 6784, 10_197, 15_326, 23_036,
  34_624, 52_040, 78_218, 117_565, 176_704, 265_591, 399_193, 600_000,
];

/**
 * A quantile of times that are only counted by bucket. It lies in the bucket of the true one, placed in it by its rank.
 * @param counts how many times lie in each bucket: one more than there are bounds
 * @param quantile from 0 to 1: 0.95
 * @returns in milliseconds; of the last bucket, which has no end, where it begins; null: nothing is counted
 */
export function quantileMs(counts: readonly number[], quantile: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.min(total, Math.max(1, Math.ceil(quantile * total)));
  let before = 0;
  for (const [bucket, count] of counts.entries()) {
    if (before + count >= rank) return within(bucket, (rank - before - 0.5) / count);
    before += count;
  }
  return null;
}

function within(bucket: number, share: number): number {
  const from = LATENCY_BOUNDS_MS[bucket - 1] ?? 0;
  const to = LATENCY_BOUNDS_MS[bucket] ?? from;
  return from + (to - from) * share;
}
