/**
 * Upper bounds of latency buckets in milliseconds: 10 ms to 10 minutes in 27 steps of about x1.5. Quantiles read
 * from them are off by at most half; two such lists fit into an hourly usage row. One more bucket counts longer times. The
 * database function `time_bucket` has the same bounds. Stored counts depend on them, so they must not change.
 */
export const LATENCY_BOUNDS_MS: readonly number[] = [
  10, 15, 23, 34, 51, 77, 115, 173, 260, 391, 588, 884, 1329, 1998, 3003, 4514, 6784, 10_197, 15_326, 23_036,
  34_624, 52_040, 78_218, 117_565, 176_704, 265_591, 399_193, 600_000,
];

/**
 * Estimates a quantile from bucket counts, interpolated by rank within its bucket.
 * @param counts number of times per bucket: one more than bounds
 * @param quantile from 0 to 1: 0.95
 * @returns milliseconds; for the open last bucket, its lower bound; null: no counts
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
