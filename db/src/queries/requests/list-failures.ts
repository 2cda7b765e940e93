import type { RequestFilter } from '@tollgate/core/requests/request-filter';
import { createId } from '@tollgate/core/runtime/ids';
import { sql, type SQL } from 'drizzle-orm';
import { requests } from '../../schema/requests.ts';
import type { Connection } from '../../transaction.ts';
import { indexedConditions } from './request-conditions.ts';

/** Rows that are read at most: a few hundred milliseconds of work. */
const SCANNED_ROWS = 50_000;
const MAX_GROUPS = 100;
/** Quoted texts, ids and numbers differ between failures of the same cause. */
const VARIABLE_PARTS = `"[^"]*"|'[^']*'|(req|key|acct|route)_[0-9A-Za-z]+|[0-9][0-9.,:]*`;

/** Failures of the same cause. */
export interface FailureGroup {
  /** The code of a request; of an attempt, its outcome. */
  code: string;
  /** The provider's error type; null: none, or a group of requests. */
  errorType: string | null;
  /** The message of the newest failure; null: none is recorded. */
  message: string | null;
  /** null: a group of requests. */
  provider: string | null;
  /** At most five. */
  models: string[];
  failures: number;
  /** How many of the requests were answered by another attempt. */
  answered: number;
  firstAt: Date;
  lastAt: Date;
  /** The newest request. */
  example: { id: string; accountId: string };
}

export interface FailureList {
  groups: FailureGroup[];
  /** The oldest request that was read, if more are in the time range; null: all were read. */
  searchedTo: Date | null;
}

interface GroupRow extends Record<string, unknown> {
  code: string;
  error_type: string | null;
  message: string | null;
  provider: string | null;
  models: string[];
  failures: number;
  answered: number;
  first_at: Date | string;
  last_at: Date | string;
  id: string;
  account_id: string;
}

/** Groups the failed requests of an account by cause, the most frequent first. Disconnected clients do not count. */
export async function listFailures(
  db: Connection,
  query: { accountId: string; filter: RequestFilter; nowMs: number; scannedRows?: number },
): Promise<FailureList> {
  const { model } = query.filter;
  const failed = sql`
    SELECT id, account_id, started_at, error_code AS code, NULL::text AS error_type, error_message AS message,
      NULL::text AS provider, model, false AS answered
    FROM newest WHERE error_code <> 'client_gone' AND (${model ?? null}::text IS NULL OR model = ${model ?? null})`;
  const { scannedRows = SCANNED_ROWS } = query;
  return readGroups(db, { newest: selectNewest({ ...query, scannedRows }), failed, scannedRows });
}

/** The newest requests of an account, by an index. */
export function selectNewest(query: {
  accountId: string;
  filter: RequestFilter;
  nowMs: number;
  scannedRows: number;
}): SQL {
  return sql`SELECT * FROM ${requests} WHERE ${indexedConditions({ ...query, after: null })}
    ORDER BY ${requests.startedAt} DESC, ${requests.id} DESC LIMIT ${query.scannedRows}`;
}

/**
 * Groups the failed attempts at providers by cause, over all accounts, the most frequent first. Attempts with credentials of
 * accounts do not count.
 */
export async function listProviderFailures(
  db: Connection,
  query: { since: Date; provider: string | null; model: string | null; scannedRows?: number },
): Promise<FailureList> {
  const { since, provider, model, scannedRows = SCANNED_ROWS } = query;
  const newest = selectNewestOfAll({ since, scannedRows });
  const failed = sql`
    SELECT * FROM (
      SELECT n.id, n.account_id, n.started_at, t->>'outcome' AS code, t->>'errorType' AS error_type,
        coalesce(t->>'message', t->>'errorMessage', t->>'detail') AS message, t->>'provider' AS provider,
        coalesce(t->>'model', n.model) AS model, n.error_code IS NULL AS answered
      FROM newest n CROSS JOIN LATERAL jsonb_array_elements(n.attempts) t
      WHERE jsonb_typeof(n.attempts) = 'array' AND t->'own' IS NULL
        AND t->>'outcome' NOT IN ('answered', 'continued', 'hedged')
      UNION ALL
      SELECT id, account_id, started_at, error_code, NULL, error_message, provider, model, false
      FROM newest WHERE attempts IS NULL AND provider IS NOT NULL AND NOT own_credential
        AND error_code LIKE 'upstream\\_%'
    ) AS tries
    WHERE (${provider}::text IS NULL OR provider = ${provider}) AND (${model}::text IS NULL OR model = ${model})`;
  return readGroups(db, { newest, failed, scannedRows });
}

/** The newest settled requests of all accounts. IDs begin with the time of the request, so the key of the table finds them. */
export function selectNewestOfAll({ since, scannedRows }: { since: Date; scannedRows: number }): SQL {
  const firstId = createId('req', since.getTime()).slice(0, 'req_'.length + 10);
  return sql`SELECT * FROM requests
    WHERE id >= ${firstId} AND started_at >= ${since.toISOString()}::timestamptz AND state = 'settled'
    ORDER BY id DESC LIMIT ${scannedRows}`;
}

/** @param parts.failed reads `newest`, the rows that are scanned */
async function readGroups(
  db: Connection,
  { newest, failed, scannedRows }: { newest: SQL; failed: SQL; scannedRows: number },
): Promise<FailureList> {
  const rows = await db.drizzle.execute<GroupRow>(sql`
    WITH newest AS (${newest}), failed AS (${failed}), causes AS (
      SELECT *, regexp_replace(coalesce(message, ''), ${VARIABLE_PARTS}, '…', 'g') AS cause FROM failed
    )
    SELECT code, error_type, provider, count(*)::int AS failures,
      (count(*) FILTER (WHERE answered))::int AS answered,
      min(started_at) AS first_at, max(started_at) AS last_at,
      (array_agg(message ORDER BY started_at DESC))[1] AS message,
      (array_agg(DISTINCT model) FILTER (WHERE model IS NOT NULL))[1:5] AS models,
      (array_agg(id ORDER BY started_at DESC))[1] AS id,
      (array_agg(account_id ORDER BY started_at DESC))[1] AS account_id
    FROM causes GROUP BY code, error_type, provider, cause
    ORDER BY failures DESC, last_at DESC LIMIT ${MAX_GROUPS}`);
  const [read] = await db.drizzle.execute<{ count: number; oldest: Date | string | null }>(sql`
    SELECT count(*)::int AS count, min(started_at) AS oldest FROM (${newest}) AS newest`);
  const isCut = read !== undefined && read.count >= scannedRows && read.oldest !== null;
  return {
    groups: rows.map((row) => ({
      code: row.code,
      errorType: row.error_type,
      message: row.message,
      provider: row.provider,
      models: row.models ?? [],
      failures: row.failures,
      answered: row.answered,
      firstAt: new Date(row.first_at),
      lastAt: new Date(row.last_at),
      example: { id: row.id, accountId: row.account_id },
    })),
    searchedTo: isCut ? new Date(read.oldest ?? 0) : null,
  };
}
