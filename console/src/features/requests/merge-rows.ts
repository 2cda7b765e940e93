import type { RequestListRow } from '../../lib/trpc.ts';

/** Max live rows kept before the list is reloaded. */
export const MAX_LIVE = 1_000;

export interface Log {
  /** Rows of the loaded pages, newest first. */
  listed: readonly RequestListRow[];
  /** Live rows received since, by ID. */
  live: ReadonlyMap<string, RequestListRow>;
  /** True if older rows are not loaded yet. */
  hasMore: boolean;
  /** True if the filter excludes finished requests. */
  isOpenOnly: boolean;
}

/** Merges loaded and live rows: each request once, in its latest state, newest first. */
export function mergeRows({ listed, live, hasMore, isOpenOnly }: Log): RequestListRow[] {
  const oldest = listed.at(-1)?.position;
  const byId = new Map(listed.map((row) => [row.id, row]));
  for (const [id, row] of live) {
    // Rows may be missing between the last loaded row and an older live row.
    if (!byId.has(id) && hasMore && oldest !== undefined && row.position < oldest) continue;
    // The loaded row may be newer than the live row.
    if (row.isOpen && byId.get(id)?.isOpen === false) continue;
    byId.set(id, row);
  }
  const rows = [...byId.values()].filter((row) => !isOpenOnly || row.isOpen);
  return rows.toSorted((a, b) => (a.position < b.position ? 1 : a.position > b.position ? -1 : 0));
}

/** Adds live rows that just arrived. */
export function addLive(
  live: ReadonlyMap<string, RequestListRow>,
  rows: readonly RequestListRow[],
): ReadonlyMap<string, RequestListRow> {
  const next = new Map(live);
  for (const row of rows) next.set(row.id, row);
  return next;
}
