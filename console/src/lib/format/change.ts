const PERCENT = 100;

/** Above this factor, the exact factor is not shown. */
const TIMES_TOLD_BELOW = 100;

export interface Change {
  direction: 'up' | 'down' | 'same';
  /** `8%`, `12×` from ten times on; null: what was there before is little next to it, or nothing. */
  text: string | null;
}

/** How a number has changed. Only the share is rounded. */
export function describeChange(now: number, before: number): Change {
  if (now === before) return { direction: 'same', text: 'unchanged' };
  const direction = now > before ? 'up' : 'down';
  const times = now / before;
  if (times >= TIMES_TOLD_BELOW) return { direction, text: null };
  if (times >= 10) return { direction, text: `${Math.round(times)}×` };
  const percent = Math.abs(times - 1) * PERCENT;
  return { direction, text: percent < 1 ? '< 1%' : `${Math.round(percent)}%` };
}
