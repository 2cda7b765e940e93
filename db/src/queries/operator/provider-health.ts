import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';

/** A provider's health according to the attempts of some time. */
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
 * Sums up the attempts at each provider, by whole minutes, however many requests there are. Attempts with credentials of
 * accounts do not count.
 */
export async function readProviderHealth(db: Connection, since: Date): Promise<ProviderHealth[]> {
  const rows = await db.drizzle.execute<HealthRow>(sql`
    SELECT provider, sum(calls)::float8 AS calls, sum(failures)::float8 AS failures,
      max(last_failure_at) AS last_failure_at,
      (array_agg(last_message ORDER BY last_message_at DESC) FILTER (WHERE last_message IS NOT NULL))[1] AS last_message,
      CASE WHEN max(last_message_at) >= coalesce(max(last_answer_at), '-infinity')
        THEN max(last_message_at) END AS last_message_at
    FROM provider_minutes WHERE minute >= ${since.toISOString()}::timestamptz
    GROUP BY provider HAVING sum(calls) > 0`);
  return rows.map((row) => ({
    provider: row.provider,
    calls: row.calls,
    failures: row.failures,
    lastFailureAt: row.failures === 0 || row.last_failure_at === null ? null : new Date(row.last_failure_at),
    lastMessage: toMessage(row),
  }));
}

function toMessage({ last_message: text, last_message_at: at }: HealthRow): ProviderHealth['lastMessage'] {
  return text === null || at === null ? null : { text, at: new Date(at) };
}
