import { createId } from '@tollgate/core/runtime/ids';
import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';

/** Scan limit: the page must stay fast on any installation. */
const REQUESTS_READ = 5_000;

/** A provider's health according to the newest requests. */
export interface ProviderHealth {
  provider: string;
  /** Tries at it. */
  calls: number;
  /** Attempts without an answer, or with the provider's own error. Answers that exceed a limit of the gateway do not count. */
  failures: number;
  lastFailureAt: Date | null;
  /**
   * What the provider said last about the operator's account, and when; null: nothing, or a later request was answered.
   */
  lastMessage: { text: string; at: Date } | null;
}

interface HealthRow extends Record<string, unknown> {
  provider: string;
  calls: number;
  failures: number;
  last_failure_at: string | null;
  last_message: string | null;
  last_message_at: string | null;
}

/**
 * Counts the tries of the newest requests since a time, at most 5,000 of them. Ids begin with the time of the request, so
 * they are found through the key of the table. Attempts with credentials of accounts do not count. A request that lists no tries was answered, or failed, at the one it names.
 */
export async function readProviderHealth(db: Connection, since: Date): Promise<ProviderHealth[]> {
  const firstId = createId('req', since.getTime()).slice(0, 'req_'.length + 10);
  const rows = await db.drizzle.execute<HealthRow>(sql`
    WITH newest AS (
      SELECT started_at, provider, error_code, attempts, own_credential FROM requests
      WHERE id >= ${firstId} AND started_at >= ${since.toISOString()}::timestamptz AND state = 'settled'
      ORDER BY id DESC LIMIT ${REQUESTS_READ}
    ), tries AS (
      SELECT started_at, provider, coalesce(error_code LIKE 'upstream\\_%' AND error_code <> 'upstream_rejected', false) AS failed,
        error_code IS NULL AS answered, NULL AS message
      FROM newest WHERE attempts IS NULL AND provider IS NOT NULL AND NOT own_credential
      UNION ALL
      SELECT n.started_at, t->>'provider', t->>'outcome' NOT IN ('answered', 'continued', 'too_large', 'no_memory'), t->>'outcome' IN ('answered', 'continued'), t->>'message'
      FROM newest n CROSS JOIN LATERAL jsonb_array_elements(n.attempts) t WHERE jsonb_typeof(n.attempts) = 'array' AND t->'own' IS NULL
    )
    SELECT provider, count(*)::int AS calls, count(*) FILTER (WHERE failed)::int AS failures,
      max(started_at) FILTER (WHERE failed) AS last_failure_at,
      (array_agg(message ORDER BY started_at DESC) FILTER (WHERE message IS NOT NULL))[1] AS last_message,
      CASE WHEN max(started_at) FILTER (WHERE message IS NOT NULL)
        >= coalesce(max(started_at) FILTER (WHERE answered), '-infinity')
        THEN max(started_at) FILTER (WHERE message IS NOT NULL) END AS last_message_at
    FROM tries WHERE provider IS NOT NULL GROUP BY provider`);
  return rows.map((row) => ({
    provider: row.provider,
    calls: row.calls,
    failures: row.failures,
    lastFailureAt: row.last_failure_at === null ? null : new Date(row.last_failure_at),
    lastMessage: toMessage(row),
  }));
}

function toMessage({ last_message: text, last_message_at: at }: HealthRow): ProviderHealth['lastMessage'] {
  return text === null || at === null ? null : { text, at: new Date(at) };
}
