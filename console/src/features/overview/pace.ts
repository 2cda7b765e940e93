const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longest forecast. */
const FORESEEN_DAYS = 365;

/**
 * How long an amount lasts, spent as fast as in a period until now.
 * @returns in milliseconds; null: nothing was spent, nothing is left, or it lasts longer than can be foreseen
 */
export function lastsForMs(leftNanoUsd: bigint, spentNanoUsd: bigint, periodMs: number): number | null {
  if (spentNanoUsd <= 0n || leftNanoUsd <= 0n || periodMs < HOUR_MS) return null;
  const lasts = (leftNanoUsd * BigInt(Math.round(periodMs))) / spentNanoUsd;
  return lasts > BigInt(FORESEEN_DAYS * DAY_MS) ? null : Number(lasts);
}

/** `9 hours`, `47 hours`, `31 days`: whole units, never more than there is. */
export function describeSpan(spanMs: number): string {
  if (spanMs < HOUR_MS) return 'less than an hour';
  const [count, unit] = spanMs < 2 * DAY_MS ? [spanMs / HOUR_MS, 'hour'] : [spanMs / DAY_MS, 'day'];
  const whole = Math.floor(count);
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
}
