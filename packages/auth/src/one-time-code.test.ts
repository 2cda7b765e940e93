import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCodeHasher, hashLinkToken, mintCode, mintLinkToken } from './one-time-code.ts';

describe('one-time codes', () => {
  it('have six digits, including leading zeros', () => {
    const codes = Array.from({ length: 2000 }, mintCode);
    expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true);
    expect(codes.some((code) => code.startsWith('0'))).toBe(true);
  });

  it('have different hashes for other IDs and keys', () => {
    const hashCode = createCodeHasher(randomBytes(32).toString('base64'));
    const hashElsewhere = createCodeHasher(randomBytes(32).toString('base64'));
    const expected = hashCode('code_1', '123456');
    expect(hashCode('code_1', '123456')).toEqual(expected);
    expect(hashCode('code_2', '123456')).not.toEqual(expected);
    expect(hashElsewhere('code_1', '123456')).not.toEqual(expected);
    expect(expected).toHaveLength(32);
  });

  it('come with link tokens that match their hash', () => {
    const { token, hash } = mintLinkToken();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(hashLinkToken(token)).toEqual(hash);
    expect(mintLinkToken().token).not.toBe(token);
  });
});
