import { describe, expect, it } from 'vitest';
import { describeRange } from './describe-range.ts';

describe('the range of the log', () => {
  it('is described in words, including the default', () => {
    expect(describeRange({})).toBe('the last 7 days');
    expect(describeRange({ range: '1h' })).toBe('the last hour');
    const from = new Date(2026, 10, 21, 16, 5).toISOString();
    expect(describeRange({ from })).toBe('21 Nov, 16:05 to now');
  });
});
