import { describe, expect, it } from 'vitest';
import { findTotpStep, mintTotpSecret, totpCode, totpStepAt, totpUri } from './totp.ts';

/** "12345678901234567890" of RFC 6238, appendix B, in base 32. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const NOW_MS = 1_700_000_010_000;

describe('totpCode', () => {
  // The RFC has eight digits; a six-digit code is the last six.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('returns the code of the RFC at %d seconds', (seconds, code) => {
    expect(totpCode(RFC_SECRET, totpStepAt(seconds * 1000))).toBe(code);
  });
});

describe('findTotpStep', () => {
  const secret = mintTotpSecret();
  const now = totpStepAt(NOW_MS);
  const check = (code: string, lastUsedStep: number | null = null) =>
    findTotpStep(secret, { code, nowMs: NOW_MS, lastUsedStep });

  it('accepts only codes of the current, previous and next step', () => {
    expect(check(totpCode(secret, now))).toBe(now);
    expect(check(totpCode(secret, now - 1))).toBe(now - 1);
    expect(check(totpCode(secret, now + 1))).toBe(now + 1);
    expect(check(totpCode(secret, now - 2))).toBeNull();
    expect(check(totpCode(secret, now + 2))).toBeNull();
  });

  it('rejects a used code and earlier ones', () => {
    expect(check(totpCode(secret, now), now)).toBeNull();
    expect(check(totpCode(secret, now - 1), now)).toBeNull();
    expect(check(totpCode(secret, now + 1), now)).toBe(now + 1);
  });

  it('rejects invalid codes', () => {
    for (const code of ['', '12345', 'abcdef', '1234567', '１２３４５６']) expect(check(code)).toBeNull();
  });
});

it('creates different secrets of 32 characters', () => {
  const secrets = new Set(Array.from({ length: 50 }, mintTotpSecret));
  expect(secrets.size).toBe(50);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
});

it('creates the URI for authenticator apps', () => {
  expect(totpUri({ secret: 'ABC', issuer: 'Tollgate', login: 'a+b@example.com' })).toBe(
    'otpauth://totp/Tollgate:a%2Bb%40example.com?secret=ABC&issuer=Tollgate',
  );
});
