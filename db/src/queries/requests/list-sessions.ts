import type { RequestFilter } from '@tollgate/core/requests/request-filter';
import { and, eq, sql } from 'drizzle-orm';
import { requests } from '../../schema/requests.ts';
import type { Connection } from '../../transaction.ts';
import { indexedConditions, isAfter, parsePosition } from './request-conditions.ts';
import { OLDEST_FIRST, selectRequests, type RequestRow } from './request-row.ts';
import { sumSessions, type SessionTotals } from './session-totals.ts';

/** Rows that are read at most to find sessions. */
const SCANNED_ROWS = 50_000;
const MAX_SESSIONS = 100;
/** Requests of one session that are added up in the list, and on its own page. */
const MAX_LISTED_REQUESTS = 500;
const MAX_REQUESTS = 20_000;

export interface SessionList {
  sessions: SessionTotals[];
  /** True: more sessions are in the time range. */
  hasMore: boolean;
  /** The oldest request that was read, if more are in the time range; null: all were read. */
  searchedTo: Date | null;
}

interface FoundRow extends Record<string, unknown> {
  session: string | null;
  scanned: number;
  oldest: Date | string;
}

/** The sessions of an account that were active in a time range, the most recent first. Their sums include earlier requests. */
export async function listSessions(
  db: Connection,
  query: {
    accountId: string;
    filter: Pick<RequestFilter, 'key' | 'range' | 'zone' | 'from' | 'to'>;
    nowMs: number;
    scannedRows?: number;
  },
): Promise<SessionList> {
  const { accountId, scannedRows = SCANNED_ROWS } = query;
  const found = await db.drizzle.execute<FoundRow>(sql`
    WITH newest AS MATERIALIZED (
      SELECT ${requests.session}, ${requests.startedAt} FROM ${requests}
      WHERE ${indexedConditions({ ...query, after: null })}
      ORDER BY ${requests.startedAt} DESC, ${requests.id} DESC LIMIT ${scannedRows}
    )
    SELECT session, (SELECT count(*)::int FROM newest) AS scanned, (SELECT min(started_at) FROM newest) AS oldest
    FROM newest GROUP BY session
    ORDER BY session IS NULL DESC, max(started_at) DESC LIMIT ${MAX_SESSIONS + 2}`);
  const names = found.flatMap(({ session }) => session ?? []);
  const [first] = found;
  const sessions = names.slice(0, MAX_SESSIONS);
  return {
    sessions: await sumSessions(db, { accountId, sessions, maxRequests: MAX_LISTED_REQUESTS }),
    hasMore: names.length > MAX_SESSIONS,
    searchedTo: first === undefined || first.scanned < scannedRows ? null : new Date(first.oldest),
  };
}

/** @returns null if the account has no such session */
export async function readSession(
  db: Connection,
  { accountId, session }: { accountId: string; session: string },
): Promise<SessionTotals | null> {
  const [totals] = await sumSessions(db, { accountId, sessions: [session], maxRequests: MAX_REQUESTS });
  return totals ?? null;
}

/** One page of the requests of a session, the oldest first. @param query.cursor the `nextCursor` of the page before */
export async function listTurns(
  db: Connection,
  query: { accountId: string; session: string; cursor?: string | undefined; limit: number },
): Promise<{ requests: RequestRow[]; nextCursor: string | null }> {
  const { accountId, limit } = query;
  const after = parsePosition(query.cursor);
  const indexed = and(
    eq(requests.accountId, accountId),
    eq(requests.session, query.session),
    after === null ? undefined : isAfter(after),
  );
  const found = await selectRequests(db, { accountId, indexed }, limit + 1, OLDEST_FIRST);
  const page = found.slice(0, limit);
  return { requests: page, nextCursor: found.length > limit ? (page.at(-1)?.position ?? null) : null };
}
