const shortened = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 });
const MS_PER_SECOND = 1_000;

/** `$2`, `$0.50`, `$0.00002`: as many decimals as the step between two ticks needs. */
export function formatUsdTick(usd: number, step: number): string {
  if (usd === 0) return '$0';
  const needed = step >= 1 ? 0 : Math.ceil(-Math.log10(step) - 1e-9);
  const decimals = needed === 1 ? 2 : needed;
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })}`;
}

/** `500`, `1.5k`, `2M`; fractions get no label, because counts have none. */
export function formatCountTick(count: number): string {
  return Number.isInteger(count) ? shortened.format(count).replace('K', 'k') : '';
}

/** `500 ms`, `1.5 s`. */
export function formatMsTick(milliseconds: number): string {
  if (milliseconds === 0) return '0';
  return milliseconds < MS_PER_SECOND ? `${milliseconds} ms` : `${milliseconds / MS_PER_SECOND} s`;
}
