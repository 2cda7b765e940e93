/** Writes a table of Markdown. Pads each column to its widest cell, as the formatter does. */
export function renderTable(header: readonly string[], rows: readonly string[][]): string {
  const all = [header, ...rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |\n`;
  return line(header) + rule + all.slice(1).map(line).join('');
}
