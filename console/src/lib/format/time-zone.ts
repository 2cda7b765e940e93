let chosen: string | null = null;

/** The browser's: `Europe/Berlin`. */
export function browserTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The time zone of every date on the page: chosen by the user, else the browser's. */
export function visitorTimeZone(): string {
  return chosen ?? browserTimeZone();
}

/** @param timeZone null: the browser's */
export function setTimeZone(timeZone: string | null): void {
  chosen = timeZone;
}

/** A time zone and how far it is from UTC on that day: `Berlin (UTC+1)`. */
export function describeTimeZone(now: Date, timeZone = visitorTimeZone()): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(
    now,
  );
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const place = timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone;
  const distance = offset.replace('GMT', 'UTC').replace(/\+0$/, '');
  return distance === '' || distance === place ? place : `${place} (${distance})`;
}
