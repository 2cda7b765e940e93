import type { RequestListRow } from '../../lib/trpc.ts';

/** At most so many are kept beside the list before it is read again. */
export const MAX_TOLD = 1_000;

export interface Log {
  /** As far as the list has been read, the newest first. */
  listed: readonly RequestListRow[];
  /** What was told since, by id. */
  told: ReadonlyMap<string, RequestListRow>;
  /** True: older ones have not been read yet. */
  hasMore: boolean;
  /** True: what has ended is not asked for. */
  isOpenOnly: boolean;
}

/** One log of what was read and what was told since: each request once, as it was told last, the newest first. */
export function mergeRows({ listed, told, hasMore, isOpenOnly }: Log): RequestListRow[] {
  const oldest = listed.at(-1)?.position;
  const byId = new Map(listed.map((row) => [row.id, row]));
  for (const [id, row] of told) {
    // Between the last that was read and an older one, others may be missing.
    if (!byId.has(id) && hasMore && oldest !== undefined && row.position < oldest) continue;
    // The list may be the newer of both.
    if (row.isOpen && byId.get(id)?.isOpen === false) continue;
    byId.set(id, row);
  }
  const rows = [...byId.values()].filter((row) => !isOpenOnly || row.isOpen);
  return rows.toSorted((a, b) => (a.position < b.position ? 1 : a.position > b.position ? -1 : 0));
}

/** Adds what was just told. */
export function addTold(
  told: ReadonlyMap<string, RequestListRow>,
  rows: readonly RequestListRow[],
): ReadonlyMap<string, RequestListRow> {
  const next = new Map(told);
  for (const row of rows) next.set(row.id, row);
  return next;
}
