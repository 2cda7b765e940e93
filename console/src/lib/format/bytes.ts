const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
const STEP = 1000;

/** `12345678` → `12.3 MB`. */
export function formatBytes(bytes: number): string {
  let rest = bytes;
  let unit = 0;
  while (rest >= STEP && unit < UNITS.length - 1) {
    rest /= STEP;
    unit += 1;
  }
  const text = unit === 0 || rest >= 100 ? Math.round(rest).toString() : rest.toFixed(1);
  return `${text} ${UNITS[unit] ?? ''}`;
}
