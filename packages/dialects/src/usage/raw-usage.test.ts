import { isTruncatedUsage } from '@tollgate/core/rates/raw-usage';
import { describe, expect, it } from 'vitest';
import { writeRawUsage } from './raw-usage.ts';

describe('writeRawUsage', () => {
  it('writes the object as compact JSON', () => {
    expect(writeRawUsage({ prompt_tokens: 1, details: { cached: null } })).toBe(
      '{"prompt_tokens":1,"details":{"cached":null}}',
    );
  });

  it('leaves large members out of what is larger than 8 KiB, and marks it as truncated', () => {
    const written = writeRawUsage({ prompt_tokens: 1, trace: 'x'.repeat(9_000) }) ?? '';
    expect(written).toBe('{"prompt_tokens":1}… (truncated)');
    expect(isTruncatedUsage(written)).toBe(true);
  });

  it('writes nothing of what stays too large, or that PostgreSQL cannot store', () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`member${index}`, index]));
    expect(writeRawUsage(many)).toBeNull();
    expect(writeRawUsage({ note: '\u0000' })).toBeNull();
    expect(writeRawUsage({ note: '\ud800' })).toBeNull();
  });
});
