import { afterEach, describe, expect, it } from 'vitest';
import { fromLocalField, toLocalField } from './local-field.ts';
import { formatHour } from './moment.ts';
import { formatDateTime, formatExactDateTime } from './time.ts';
import { describeTimeZone, setTimeZone, visitorTimeZone } from './time-zone.ts';

const ISO = '2026-11-21T20:35:00.000Z';

afterEach(() => setTimeZone(null));

describe('the chosen time zone', () => {
  it('applies to every date from the moment it is chosen', () => {
    setTimeZone('Asia/Kolkata');
    expect(formatDateTime(new Date(ISO))).toContain('22');
    expect(formatExactDateTime(new Date(ISO))).toMatch(/0?2:05:00/);
    expect(formatHour(new Date(ISO))).toContain('22');
    setTimeZone('America/New_York');
    expect(formatDateTime(new Date(ISO))).toContain('21');
    expect(describeTimeZone(new Date(ISO))).toBe('New York (UTC-5)');
    expect(visitorTimeZone()).toBe('America/New_York');
  });

  it('is the one of date fields, also when clocks change', () => {
    setTimeZone('Asia/Kolkata');
    expect(toLocalField(ISO)).toBe('2026-11-22T02:05');
    expect(fromLocalField('2026-11-22T02:05')).toBe(ISO);
    setTimeZone('Europe/Berlin');
    for (const iso of ['2026-03-29T00:30:00.000Z', '2026-03-29T01:30:00.000Z', '2026-10-25T01:30:00.000Z'])
      expect(fromLocalField(toLocalField(iso))).toBe(iso);
    expect(fromLocalField('no date')).toBeUndefined();
  });
});
