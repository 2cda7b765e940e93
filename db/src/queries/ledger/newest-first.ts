/**
 * Reads rows in chunks, the newest first, so that any number of them takes the memory of one chunk.
 * @param options.limit of how many rows; null: all
 * @param readChunk reads at most `rows` rows with ids below `before`; null: from the newest on
 */
export async function* newestFirst<Row extends { id: string }>(
  options: { limit: number | null; chunkRows: number },
  readChunk: (before: string | null, rows: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let before: string | null = null;
  for (let left = options.limit ?? Infinity; left > 0;) {
    const wanted = Math.min(left, options.chunkRows);
    const rows: Row[] = await readChunk(before, wanted);
    yield rows;
    left -= rows.length;
    before = rows.at(-1)?.id ?? null;
    if (rows.length < wanted) return;
  }
}
