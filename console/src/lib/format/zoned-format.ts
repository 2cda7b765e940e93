import { visitorTimeZone } from './time-zone.ts';

/** Writes dates in the reader's time zone, also after they choose another one. */
export interface ZonedFormat {
  format(date: Date | number): string;
}

/** @param locale `undefined`: the reader's */
export function createZonedFormat(options: Intl.DateTimeFormatOptions, locale?: string): ZonedFormat {
  let built: { timeZone: string; format: Intl.DateTimeFormat } | null = null;
  return {
    format(date) {
      const timeZone = visitorTimeZone();
      if (built?.timeZone !== timeZone)
        built = { timeZone, format: new Intl.DateTimeFormat(locale, { ...options, timeZone }) };
      return built.format.format(date);
    },
  };
}
