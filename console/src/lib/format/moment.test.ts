import { expect, it } from 'vitest';
import { formatHour, formatLocal, formatUtc } from '../../lib/format/moment.ts';

const DATE = new Date('2026-11-21T03:20:52.431Z');
// The tests run in the locale and time zone of the machine.
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

it('writes the local day and minute', () => {
  expect(formatLocal(DATE)).toContain(String(DATE.getDate()));
  expect(formatLocal(DATE)).toContain(clock.format(DATE));
});

it('writes UTC to the second', () => {
  expect(formatUtc(DATE)).toBe('2026-11-21 03:20:52 UTC');
});

it('writes an hour from its start to its end', () => {
  const start = new Date('2026-11-21T23:00:00Z');
  const end = new Date('2026-11-22T00:00:00Z');
  expect(formatHour(start)).toContain(`${clock.format(start)}–${clock.format(end)}`);
});
