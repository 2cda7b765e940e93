export interface Column {
  title: string;
  /** Numbers and amounts are right-aligned. */
  align?: 'left' | 'right';
}

/** Aligns cells under their titles, without trailing spaces after the last left-aligned column. */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...rows.map((row) => (row[index] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    columns
      .map((column, index) => {
        const [cell, width] = [cells[index] ?? '', widths[index] ?? 0];
        return column.align === 'right' ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [columns.map((column) => column.title), ...rows].map(line).join('\n');
}

/** Formats named values, one per line. */
export function formatFacts(facts: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}
