import { describe, expect, it } from 'vitest';
import { describeRange, fromLocalField, toLocalField } from './describe-range.ts';

describe('the range of the log', () => {
  it('is described in words, including the default', () => {
    expect(describeRange({})).toBe('the last 7 days');
    expect(describeRange({ range: '1h' })).toBe('the last hour');
    const from = new Date(2026, 10, 21, 16, 5).toISOString();
    expect(describeRange({ from })).toBe('21 Nov, 16:05 to now');
  });

  it('round-trips between the field and the URL', () => {
    const iso = new Date(2026, 10, 21, 16, 5).toISOString();
    expect(toLocalField(iso)).toBe('2026-11-21T16:05');
    expect(fromLocalField(toLocalField(iso))).toBe(iso);
    expect(fromLocalField('')).toBeUndefined();
    expect(toLocalField(undefined)).toBe('');
  });
});
