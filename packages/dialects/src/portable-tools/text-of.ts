/** @returns the value if it is text, else the fallback */
export function getText(value: unknown, fallback = ''): string {
  return typeof value === 'string' ? value : fallback;
}
