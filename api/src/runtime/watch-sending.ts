/** How slowly a caller may read a response that is held in memory for it. */
export interface SendingPace {
  /** Time before the rate counts. */
  graceMs: number;
  /** The required average after that. */
  minBytesPerSecond: number;
  checkEveryMs: number;
}

export const SENDING_PACE: SendingPace = {
  graceMs: 10_000,
  minBytesPerSecond: 16 * 1024,
  checkEveryMs: 1_000,
};

/** True if a caller has read less than it had to. */
export function isReadSlowly(takenBytes: number, elapsedMs: number, pace: SendingPace): boolean {
  const dueMs = elapsedMs - pace.graceMs;
  return dueMs > 0 && takenBytes < (dueMs / 1000) * pace.minBytesPerSecond;
}

/**
 * Checks periodically that a caller reads fast enough: a slow one blocks memory that others need.
 * @param takenBytes returns the bytes that the caller has taken so far
 * @param onSlow called at most once
 * @returns a function that stops the checks
 */
export function watchSending(
  takenBytes: () => number,
  onSlow: () => void,
  pace: SendingPace = SENDING_PACE,
): () => void {
  let elapsedMs = 0;
  const timer = setInterval(() => {
    elapsedMs += pace.checkEveryMs;
    if (!isReadSlowly(takenBytes(), elapsedMs, pace)) return;
    clearInterval(timer);
    onSlow();
  }, pace.checkEveryMs);
  return () => clearInterval(timer);
}
