const PERCENT = 100;

export interface Change {
  direction: 'up' | 'down' | 'same';
  /** `8 %`, `12×` from ten times on, `new` where there was nothing before. */
  text: string;
}

/** How a number has changed. Only the share is rounded. */
export function describeChange(now: number, before: number): Change {
  if (now === before) return { direction: 'same', text: 'as before' };
  const direction = now > before ? 'up' : 'down';
  if (before === 0) return { direction, text: 'new' };
  const times = now / before;
  if (times >= 10) return { direction, text: `${Math.round(times)}×` };
  const percent = Math.abs(times - 1) * PERCENT;
  return { direction, text: percent < 1 ? '< 1 %' : `${Math.round(percent)} %` };
}
