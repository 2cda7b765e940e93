import { z } from 'zod';

const DECIMALS = 6;
const PATTERN = /^(\d{1,3})(?:\.(\d{1,6}))?$/;
const MAX_PPM = 100_000_000;
const MESSAGE = 'must be a factor from 0 to 100 with at most 6 decimals, such as 1.2';

/** A factor as typed, `1.2`; parts per million, read digit by digit so that none is lost. */
export const multiplierOption = z.string().transform((text, context) => {
  const [, whole, fraction = ''] = PATTERN.exec(text.trim()) ?? [];
  const ppm = whole === undefined ? null : Number(whole + fraction.padEnd(DECIMALS, '0'));
  if (ppm !== null && ppm <= MAX_PPM) return ppm;
  context.addIssue({ code: 'custom', message: MESSAGE });
  return z.NEVER;
});

/** `1_200_000` → `1.2`: exact. */
export function formatMultiplier(ppm: number): string {
  const digits = String(ppm).padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return digits.slice(0, -DECIMALS) + (fraction === '' ? '' : `.${fraction}`);
}
