import type { Rhythm } from './profiles.ts';

export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Growth of usage over the month. */
const GROWTH = 0.4;

/** Relative usage per UTC hour, starting at midnight. */
const HOURS: Record<Rhythm, readonly number[]> = {
  world: [5, 4, 4, 3, 3, 4, 5, 7, 9, 11, 12, 12, 11, 12, 13, 13, 12, 11, 11, 12, 12, 10, 8, 6],
  office: [
    0.2, 0.1, 0.1, 0.1, 0.2, 0.6, 2, 6, 11, 14, 14, 12, 9, 12, 14, 13, 10, 6, 3, 1.5, 1, 0.8, 0.5, 0.3,
  ],
  night: [6, 18, 22, 16, 6, 1, 0.2, 0, 0, 0, 0, 0, 0.3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 2],
};
/** Relative usage per weekday, starting on Sunday. */
const DAYS: Record<Rhythm, readonly number[]> = {
  world: [0.8, 1, 1.05, 1.05, 1, 0.95, 0.8],
  office: [0.1, 1, 1.1, 1.1, 1, 0.85, 0.12],
  night: [1, 1, 1, 1, 1, 1, 1],
};

export interface Span {
  sinceMs: number;
  untilMs: number;
}

/** Splits a span at full hours. */
export function getHours({ sinceMs, untilMs }: Span): Span[] {
  const hours: Span[] = [];
  for (let fromMs = sinceMs; fromMs < untilMs;) {
    const endMs = Math.min(untilMs, (Math.floor(fromMs / HOUR_MS) + 1) * HOUR_MS);
    hours.push({ sinceMs: fromMs, untilMs: endMs });
    fromMs = endMs;
  }
  return hours;
}

/** Relative weight of an hour for a key's usage. */
export function busyness(rhythm: Rhythm, hour: Span, whole: Span): number {
  const at = new Date(hour.sinceMs);
  const part = (hour.untilMs - hour.sinceMs) / HOUR_MS;
  const grown = 1 + (GROWTH * (hour.sinceMs - whole.sinceMs)) / (30 * DAY_MS);
  return (HOURS[rhythm][at.getUTCHours()] ?? 0) * (DAYS[rhythm][at.getUTCDay()] ?? 0) * part * grown;
}

/** Splits a whole number by weight into whole shares with the same sum. */
export function shareOut(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  let given = 0;
  let reached = 0;
  return weights.map((weight) => {
    reached += weight;
    const share = sum === 0 ? 0 : Math.round((total * reached) / sum) - given;
    given += share;
    return share;
  });
}
