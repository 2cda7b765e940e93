/**
 * The value below which a share of the samples lies, by the nearest-rank method.
 * @param samples in any order; they are not changed
 * @param share between 0 and 1, e.g. 0.99
 * @returns NaN if there are no samples
 */
export function percentile(samples: Float64Array | readonly number[], share: number): number {
  const sorted = Float64Array.from(samples).toSorted();
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

/** The middle of the samples; of an even number, the mean of the two in the middle. NaN if there are none. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (upper + lower) / 2;
}

/**
 * The median of the ratios of paired rounds. Both of a pair ran within the same few seconds, so that a machine which
 * slows down or is shared half-way moves both and does not change the ratio.
 */
export function medianRatio(rounds: readonly number[], base: readonly number[]): number {
  return median(rounds.map((value, round) => value / (base[round] ?? Number.NaN)));
}
