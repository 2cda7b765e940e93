const DAY_MS = 86_400_000;

/** Converts a moment to what clocks show, as if they showed UTC. */
export type WallClock = (ms: number) => number;

/** @throws RangeError if the time zone is unknown */
export function createWallClock(timeZone: string): WallClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const get = (part: Intl.DateTimeFormatPartTypes) => parts.get(part) ?? 0;
    return Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'), get('second'));
  };
}

/**
 * The moment at which clocks show a local time. As PostgreSQL reads it: a time that clocks skip counts by the offset before
 * the change, one that they show twice is the second.
 */
export function findMoment(wallMs: number, clock: WallClock): number {
  const offsets = [wallMs - DAY_MS, wallMs + DAY_MS].map((ms) => clock(ms) - ms);
  const found = offsets.map((offset) => wallMs - offset).filter((ms) => clock(ms) === wallMs);
  return found.length === 0 ? wallMs - (offsets[0] ?? 0) : Math.max(...found);
}
