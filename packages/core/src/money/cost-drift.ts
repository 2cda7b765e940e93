/** A difference above this needs a look: 1 %. */
const DRIFT_LIMIT_PPM = 10_000;

/** @returns reported minus computed cost in millionths of the larger one, rounded; null: both are 0 */
export function computeDriftPpm({
  reportedNanoUsd,
  computedNanoUsd,
}: {
  reportedNanoUsd: bigint;
  computedNanoUsd: bigint;
}): number | null {
  const larger = reportedNanoUsd > computedNanoUsd ? reportedNanoUsd : computedNanoUsd;
  if (larger <= 0n) return null;
  return Math.round(Number(reportedNanoUsd - computedNanoUsd) / (Number(larger) / 1e6));
}

/** True: rates or counting need a look. */
export function isDrifting(driftPpm: number): boolean {
  return Math.abs(driftPpm) > DRIFT_LIMIT_PPM;
}
