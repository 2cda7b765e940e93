import type { RequestFilter } from '@tollgate/core/requests/request-filter';
import { and, eq, inArray } from 'drizzle-orm';
import { requests } from '../../schema/requests.ts';
import type { Connection } from '../../transaction.ts';
import { indexedConditions, parsePosition, rowConditions } from './request-conditions.ts';
import { searchRequests, selectRequests, type RequestRow } from './request-row.ts';

/** Scan limit of one page for a filter without an index: some milliseconds of work. */
const SCANNED_ROWS = 5_000;

export interface RequestListQuery {
  accountId: string;
  filter: RequestFilter;
  /** The `nextCursor` of the page before; an invalid one starts at the top. */
  cursor?: string | undefined;
  limit: number;
  nowMs: number;
  /** A lower scan limit. */
  scannedRows?: number;
}

export interface RequestPage {
  requests: RequestRow[];
  /** null: the log ends here, as far back as the filter looks. */
  nextCursor: string | null;
  /** How far back this page has searched if it is not full and more rows remain. */
  searchedTo: Date | null;
}

/**
 * One page of an account's requests, the newest first. A page costs the same however rare the matches are: it
 * may have few rows or none, and a cursor to continue the search.
 */
export async function listRequests(db: Connection, query: RequestListQuery): Promise<RequestPage> {
  const { accountId, limit } = query;
  const indexed = indexedConditions({ ...query, after: parsePosition(query.cursor) });
  const rows = rowConditions(query.filter);
  const { found, end } =
    rows === undefined
      ? { found: await selectRequests(db, { accountId, indexed }, limit + 1), end: null }
      : await searchRequests(
          db,
          { accountId, indexed, rows },
          { found: limit + 1, scanned: query.scannedRows ?? SCANNED_ROWS },
        );
  const page = found.slice(0, limit);
  if (found.length > limit)
    return { requests: page, nextCursor: page.at(-1)?.position ?? null, searchedTo: null };
  const searched = parsePosition(end ?? undefined);
  return {
    requests: page,
    nextCursor: end,
    searchedTo: searched === null ? null : new Date(searched.startedAt),
  };
}

/** Requests by their ids and times: those of them that the account has. */
export async function readRequests(
  db: Connection,
  query: { accountId: string; requests: readonly Pick<RequestRow, 'id' | 'startedAt'>[] },
): Promise<RequestRow[]> {
  if (query.requests.length === 0) return [];
  const indexed = and(
    eq(requests.accountId, query.accountId),
    inArray(
      requests.id,
      query.requests.map((request) => request.id),
    ),
    // Does not read the partitions of other months.
    inArray(
      requests.startedAt,
      query.requests.map((request) => request.startedAt),
    ),
  );
  return selectRequests(db, { accountId: query.accountId, indexed }, query.requests.length);
}
