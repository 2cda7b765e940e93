import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';

/** The requests of one session, as sums. */
export interface SessionTotals {
  session: string;
  requests: number;
  /** True: only its newest requests are counted. */
  isCut: boolean;
  /** Requests in progress. */
  open: number;
  /** Failed requests, without requests that the caller aborted. */
  failed: number;
  /** All that the models read, caches included. */
  inputTokens: number;
  cacheReadTokens: number;
  outputTokens: number;
  costNanoUsd: bigint;
  /** Time of the requests themselves, without pauses. */
  busyMs: number;
  firstAt: Date;
  /** When its last request ended, or started if it is in progress. */
  lastAt: Date;
  /** At most five of each. */
  models: string[];
  clients: string[];
}

interface TotalsRow extends Record<string, unknown> {
  session: string;
  requests: number;
  /** One more than what is summed, if the session has more. */
  found: number;
  open: number;
  failed: number;
  input_tokens: string;
  cache_read_tokens: string;
  output_tokens: string;
  cost: string;
  busy_ms: string;
  first_at: Date | string;
  last_at: Date | string;
  models: string[] | null;
  clients: string[] | null;
}

const SUMMED_COLUMNS = sql.raw(
  'state, error_code, input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, output_tokens, ' +
    'cost_nano_usd, latency_ms, started_at, model, client',
);

/**
 * Adds up the sessions of an account, each by its index.
 * @param maxRequests of one session that are read; more are left out
 */
export async function sumSessions(
  db: Connection,
  query: { accountId: string; sessions: readonly string[]; maxRequests: number },
): Promise<SessionTotals[]> {
  const { accountId, sessions, maxRequests } = query;
  if (sessions.length === 0) return [];
  const names = sql.join(
    sessions.map((session) => sql`${session}`),
    sql`, `,
  );
  const rows = await db.drizzle.execute<TotalsRow>(sql`
    SELECT named.session, totals.* FROM unnest(ARRAY[${names}]::text[]) AS named(session) CROSS JOIN LATERAL (
      SELECT count(*)::int AS requests, max(r.found)::int AS found, (count(*) FILTER (WHERE r.state = 'held'))::int AS open,
        (count(*) FILTER (WHERE r.error_code <> 'client_gone'))::int AS failed,
        sum(r.input_tokens + r.cache_read_tokens + r.cache_write_tokens + r.cache_write_1h_tokens)
          FILTER (WHERE r.state = 'settled') AS input_tokens,
        sum(r.cache_read_tokens) AS cache_read_tokens, sum(r.output_tokens) AS output_tokens,
        sum(r.cost_nano_usd) FILTER (WHERE r.state = 'settled') AS cost, sum(r.latency_ms) AS busy_ms,
        min(r.started_at) AS first_at, max(r.started_at + r.latency_ms * interval '1 ms') AS last_at,
        (array_agg(DISTINCT r.model) FILTER (WHERE r.model IS NOT NULL))[1:5] AS models,
        (array_agg(DISTINCT r.client) FILTER (WHERE r.client IS NOT NULL))[1:5] AS clients
      FROM (
        SELECT newest.*, row_number() OVER (ORDER BY newest.started_at DESC) AS place, count(*) OVER () AS found FROM (
          SELECT ${SUMMED_COLUMNS} FROM requests
          WHERE account_id = ${accountId} AND session = named.session ORDER BY started_at DESC LIMIT ${maxRequests + 1}
        ) AS newest
      ) AS r WHERE r.place <= ${maxRequests}
    ) AS totals
    WHERE totals.requests > 0 ORDER BY totals.last_at DESC, named.session`);
  return rows.map((row) => toTotals(row, maxRequests));
}

function toTotals(row: TotalsRow, maxRequests: number): SessionTotals {
  return {
    session: row.session,
    requests: row.requests,
    isCut: row.found > maxRequests,
    open: row.open,
    failed: row.failed,
    inputTokens: Number(row.input_tokens),
    cacheReadTokens: Number(row.cache_read_tokens),
    outputTokens: Number(row.output_tokens),
    costNanoUsd: BigInt(row.cost ?? 0),
    busyMs: Number(row.busy_ms),
    firstAt: new Date(row.first_at),
    lastAt: new Date(row.last_at),
    models: row.models ?? [],
    clients: row.clients ?? [],
  };
}
