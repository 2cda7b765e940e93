import type { Clock } from '@tollgate/core/runtime/clock';
import type { Cell } from './table-text.ts';

/** Rows of one batch, each read by a separate query. */
const ROWS_AT_ONCE = 1_000;
/** At most some millions of rows, at the pace of the reader. */
const LIMIT_MS = 15 * 60_000;

/** A column of a file: its name, and its cell in a row. */
export type ExportColumn<Row> = readonly [name: string, of: (row: Row) => Cell];

export function getNames<Row>(columns: readonly ExportColumn<Row>[]): string[] {
  return columns.map(([name]) => name);
}

interface Pages<Row> {
  clock: Clock;
  columns: readonly ExportColumn<Row>[];
  read: (page: {
    cursor: string | undefined;
    limit: number;
  }) => Promise<{ rows: readonly Row[]; nextCursor: string | null }>;
}

/**
 * All pages of a list, in batches. Each batch is a separate query, so that a slow reader holds neither a connection nor a
 * snapshot of the database.
 * @throws Error after the time limit
 */
export async function* exportPages<Row>({ clock, columns, read }: Pages<Row>): AsyncGenerator<Cell[][]> {
  const startedMs = clock.nowMs();
  let cursor: string | undefined;
  do {
    if (clock.nowMs() - startedMs > LIMIT_MS) throw new Error('The export took too long');
    const { rows, nextCursor } = await read({ cursor, limit: ROWS_AT_ONCE });
    if (rows.length > 0) yield rows.map((row) => columns.map(([, of]) => of(row)));
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** A list that fits in memory as one batch. */
export async function* exportList<Row>(
  columns: readonly ExportColumn<Row>[],
  read: () => Promise<readonly Row[]>,
): AsyncGenerator<Cell[][]> {
  const rows = await read();
  if (rows.length > 0) yield rows.map((row) => columns.map(([, of]) => of(row)));
}
