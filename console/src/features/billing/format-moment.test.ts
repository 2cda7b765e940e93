import { expect, it } from 'vitest';
import { formatHour, formatLocal, formatUtc } from './format-moment.ts';

const DATE = new Date('2026-11-21T03:20:52.431Z');
/** The tests run in whichever zone the machine is in: what is local is put together from the date's own parts. */
const pad = (part: number) => String(part).padStart(2, '0');

it('writes the local day and minute', () => {
  expect(formatLocal(DATE)).toBe(
    `${DATE.getDate()} Nov 2026, ${pad(DATE.getHours())}:${pad(DATE.getMinutes())}`,
  );
});

it('writes UTC to the second', () => {
  expect(formatUtc(DATE)).toBe('2026-11-21 03:20:52 UTC');
});

it('writes an hour from its beginning to its end', () => {
  const start = new Date('2026-11-21T23:00:00Z');
  const [from, to] = [pad(start.getHours()), pad((start.getHours() + 1) % 24)];
  expect(formatHour(start)).toContain(`, ${from}:${pad(start.getMinutes())}–${to}:`);
});
