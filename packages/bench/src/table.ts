/**
 * Lays rows out in columns: the first column to the left, all others to the right, as figures are read.
 * @param rows the first is the header, underlined
 */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const lines = rows.map((row) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? '';
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
  const underline = widths.map((width) => '-'.repeat(width)).join('  ');
  return [lines[0], underline, ...lines.slice(1)].join('\n');
}

/** `12345.6` → `12,346`; a value that was not measured → `-`. */
export function formatCount(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString('en-US') : '-';
}

/** A value with a fixed number of decimals and a unit; one that was not measured → `-`. */
export function formatFixed(value: number, decimals: number, unit = ''): string {
  return Number.isFinite(value) ? value.toFixed(decimals) + unit : '-';
}
