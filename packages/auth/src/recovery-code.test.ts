import { expect, it } from 'vitest';
import { mintRecoveryCodes, normalizeRecoveryCode } from './recovery-code.ts';

it('creates ten different codes', () => {
  const codes = mintRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/);
});

it('accepts codes with different separators and case', () => {
  expect(normalizeRecoveryCode(' 7K2MQ X9D4F ')).toBe('7k2mqx9d4f');
  expect(normalizeRecoveryCode('oil00-00000')).toBe('0110000000');
});
