const DECIMALS = 6;
const PATTERN = /^(\d{1,3})(?:\.(\d{1,6}))?$/;
const MAX_PPM = 100_000_000;

/**
 * Parses a factor from 0 to 100 with at most 6 decimals, without rounding: `1.2` → 1_200_000.
 * @returns parts per million; null if the text is invalid
 */
export function parseMultiplier(text: string): number | null {
  const [, whole, fraction = ''] = PATTERN.exec(text.trim()) ?? [];
  const ppm = whole === undefined ? null : Number(whole + fraction.padEnd(DECIMALS, '0'));
  return ppm !== null && ppm <= MAX_PPM ? ppm : null;
}

/** `1_200_000` → `1.2`: exact. */
export function formatMultiplier(ppm: number): string {
  const digits = String(ppm).padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return digits.slice(0, -DECIMALS) + (fraction === '' ? '' : `.${fraction}`);
}
