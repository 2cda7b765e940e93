import { isTruncatedUsage, MAX_RAW_USAGE_LENGTH } from '@tollgate/core/money/rates/raw-usage';
import { describe, expect, it } from 'vitest';
import { writeRawUsage } from './raw-usage.ts';

describe('writeRawUsage', () => {
  it('writes the object as compact JSON', () => {
    expect(writeRawUsage({ prompt_tokens: 1, details: { cached: null } })).toBe(
      '{"prompt_tokens":1,"details":{"cached":null}}',
    );
  });

  it('leaves large members out of objects above 8 KiB, and marks them as truncated', () => {
    const written = writeRawUsage({ prompt_tokens: 1, trace: 'x'.repeat(9_000) });
    expect(written).toBe('{"prompt_tokens":1}… (truncated)');
    expect(isTruncatedUsage(written)).toBe(true);
  });

  it('truncates objects that are still too large', () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`member${index}`, index]));
    const written = writeRawUsage(many);
    expect(written).toHaveLength(MAX_RAW_USAGE_LENGTH);
    expect(written).toMatch(/^\{"member0":0,/);
    expect(isTruncatedUsage(written)).toBe(true);
  });

  it('keeps characters that PostgreSQL texts only hold escaped', () => {
    expect(writeRawUsage({ note: '\u0000\ud800' })).toBe(String.raw`{"note":"\u0000\ud800"}`);
  });
});
