import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';

/** What the database knows that an operator should act on. */
export interface AttentionFacts {
  /** Providers with credentials that are not used, because the provider refused them. */
  setAside: { provider: string; setAside: number; credentials: number }[];
  /** Models without a route, or without a price in force. */
  modelsWithoutRoute: string[];
  modelsWithoutPrice: string[];
  /** Models with a route whose responses were not what was priced, since `since`. */
  mismatchedModels: string[];
  failedJobs: number;
  /** Emails that were not delivered, since `since`. */
  failedEmails: number;
  /** Payment events that were refused, since `since`. */
  refusedEvents: number;
  openDisputes: number;
}

/** Reads the facts from small tables and indexes. @param since of emails, payment events and mismatches */
export async function readAttentionFacts(db: Connection, since: Date): Promise<AttentionFacts> {
  const from = sql`${since.toISOString()}::timestamptz`;
  const [row] = await db.drizzle.execute<AttentionFacts & Record<string, unknown>>(sql`
    SELECT
      (SELECT coalesce(json_agg(s ORDER BY s.provider), '[]') FROM (
        SELECT p.name AS provider, count(*) FILTER (WHERE c.set_aside_at IS NOT NULL)::int AS "setAside",
          count(*)::int AS credentials
        FROM provider_credentials c JOIN providers p ON p.id = c.provider_id
        GROUP BY p.name HAVING bool_or(c.set_aside_at IS NOT NULL)) s) AS "setAside",
      (SELECT coalesce(json_agg(m.id ORDER BY m.id), '[]') FROM models m
        WHERE NOT EXISTS (SELECT FROM routes r WHERE r.model_id = m.id)
          AND (m.retires_at IS NULL OR m.retires_at > now())) AS "modelsWithoutRoute",
      (SELECT coalesce(json_agg(m.id ORDER BY m.id), '[]') FROM models m
        WHERE EXISTS (SELECT FROM routes r WHERE r.model_id = m.id)
          AND NOT EXISTS (SELECT FROM model_prices p WHERE p.model_id = m.id AND p.effective_from <= now())
          AND (m.retires_at IS NULL OR m.retires_at > now())) AS "modelsWithoutPrice",
      (SELECT coalesce(json_agg(DISTINCT r.model_id), '[]') FROM price_mismatch_alerts a JOIN routes r ON r.id = a.route_id
        WHERE a.last_seen_at >= ${from}) AS "mismatchedModels",
      (SELECT count(*)::int FROM tollgate_jobs.job j WHERE j.state = 'failed') AS "failedJobs",
      (SELECT count(*)::int FROM outbox o
        WHERE o.sent_at IS NULL AND o.body_sealed IS NULL AND o.created_at >= ${from}) AS "failedEmails",
      (SELECT count(*)::int FROM payment_events e
        WHERE e.outcome = 'refused' AND e.received_at >= ${from}) AS "refusedEvents",
      (SELECT count(DISTINCT r.payment_id)::int FROM payment_reversals r
        WHERE r.kind = 'dispute' AND r.state = 'open') AS "openDisputes"`);
  if (row === undefined) throw new Error('A SELECT without FROM returned no row');
  return row;
}
