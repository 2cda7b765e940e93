import { describe, expect, it } from 'vitest';
import { describeRange } from './describe-range.ts';

describe('the range of the log', () => {
  it('is described in words, including the default', () => {
    expect(describeRange({})).toBe('the last 7 days');
    expect(describeRange({ range: '1h' })).toBe('the last hour');
    const from = new Date(2026, 10, 21, 16, 5);
    // The tests run in the locale of the machine.
    const start = from.toLocaleString(undefined, {
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
    });
    expect(describeRange({ from: from.toISOString() })).toBe(`${start} to now`);
  });
});
