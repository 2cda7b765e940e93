export type BucketSize = 'hour' | 'day' | 'month';

/** More days than these have no weekday on the axis. */
const WEEKDAYS_UP_TO = 10;
const HOUR_MS = 3_600_000;

/** Names of a step of time: short for an axis, long elsewhere. */
export interface BucketLabel {
  start: string;
  label: string;
  title: string;
}

/**
 * Names the steps of a chart in a time zone: `14:00`, `Sat 14`, `14 Nov`, `Nov 2026`.
 * @param starts when they begin, in ISO 8601
 * @param locale default: the reader's
 */
export function labelBuckets(
  starts: string[],
  size: BucketSize,
  timeZone: string,
  locale?: string,
): BucketLabel[] {
  const write = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options });
  const isLong = starts.length > WEEKDAYS_UP_TO;
  switch (size) {
    case 'hour': {
      const hour = write({ hour: '2-digit', minute: '2-digit' });
      // 24 hours: the labels of an axis are close to each other.
      const axis = write({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
      const day = write({ weekday: 'short', day: 'numeric', month: 'short' });
      return starts.map((start) => {
        const date = new Date(start);
        const end = hour.format(new Date(date.getTime() + HOUR_MS));
        return { start, label: axis.format(date), title: `${day.format(date)}, ${hour.format(date)}–${end}` };
      });
    }
    case 'day': {
      const axis = write(isLong ? { day: 'numeric', month: 'short' } : { weekday: 'short', day: 'numeric' });
      const full = write({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
      return starts.map((start) => label(start, axis, full));
    }
    case 'month': {
      const axis = write({ month: 'short', year: '2-digit' });
      const full = write({ month: 'long', year: 'numeric' });
      return starts.map((start) => label(start, axis, full));
    }
  }
}

function label(start: string, axis: Intl.DateTimeFormat, full: Intl.DateTimeFormat): BucketLabel {
  const date = new Date(start);
  return { start, label: axis.format(date), title: full.format(date) };
}
