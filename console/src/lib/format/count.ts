const grouped = new Intl.NumberFormat('en-US');
const UNITS = [
  { size: 1_000_000_000, suffix: 'B' },
  { size: 1_000_000, suffix: 'M' },
  { size: 1_000, suffix: 'k' },
] as const;

/** `41208` → `41,208`. */
export function formatCount(count: number): string {
  return grouped.format(count);
}

/** `1` and `request` → `1 request`; `2` → `2 requests`. @param plural if it is not the noun with an s */
export function formatPlural(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** Shortens a limit only if nothing is lost: `400000` → `400k`, `1250` → `1.25k`, `1234` → `1,234`. */
export function formatLimit(limit: number): string {
  for (const { size, suffix } of UNITS) {
    if (limit >= size && limit % (size / 100) === 0) return `${limit / size}${suffix}`;
  }
  return formatCount(limit);
}
