const PERCENT = 100;

/** Error rate: `0.21%`. Never `0%` if at least one request failed. */
export function describeRate({ requests, errors }: { requests: number; errors: number }): string {
  if (errors === 0 || requests === 0) return '0%';
  const percent = (errors / requests) * PERCENT;
  if (percent < 0.01) return '< 0.01%';
  return `${percent >= 10 ? percent.toFixed(0) : percent.toFixed(percent >= 1 ? 1 : 2)}%`;
}
