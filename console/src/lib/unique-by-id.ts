/** Removes duplicates of rows that moved across a page boundary between two loads. */
export function uniqueById<T extends { id: string }>(rows: readonly T[]): T[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
