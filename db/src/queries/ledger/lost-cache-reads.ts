import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';

/** What changes of the route in the middle of a session cost for one model. */
export interface LostCacheReads {
  model: string;
  /** Requests that a session sent to another route than the one before. */
  changes: number;
  /** Input that the provider before had in its cache, and the new one had not. */
  tokens: number;
  /** Its price beyond that of cached input, without the multiplier of plans. */
  costNanoUsd: bigint;
}

/** How long providers keep a prefix at least: https://developers.openai.com/api/docs/guides/prompt-caching and Anthropic's default. */
const CACHE_LIFE = '5 minutes';

/**
 * Estimates the cache reads that sessions lost because their route changed, by model, the largest cost first. The provider before
 * is taken to have all input of the session's last request in its cache, if that was recent.
 * @param since of requests that started then or later
 */
export async function listLostCacheReads(db: Connection, since: Date): Promise<LostCacheReads[]> {
  const rows = await db.drizzle.execute<LostCacheReads & Record<string, unknown>>(sql`
    WITH input AS (
      SELECT r.*, r.input_tokens + r.cache_read_tokens + r.cache_write_tokens + r.cache_write_1h_tokens AS total
      FROM requests r
      WHERE r.started_at >= ${since.toISOString()}::timestamptz AND r.state = 'settled'
        AND r.session_hash IS NOT NULL AND r.route_id IS NOT NULL AND r.error_code IS NULL
    ), turns AS (
      SELECT i.model, i.price_id, i.route_id, i.started_at, i.cache_read_tokens, i.total,
        lag(i.route_id) OVER session AS route_before, lag(i.started_at) OVER session AS started_before,
        lag(i.total) OVER session AS total_before
      FROM input i WINDOW session AS (PARTITION BY i.account_id, i.session_hash, i.model ORDER BY i.started_at, i.id)
    ), changes AS (
      SELECT t.model, t.price_id, greatest(least(t.total, t.total_before) - t.cache_read_tokens, 0) AS lost
      FROM turns t
      WHERE t.route_before <> t.route_id AND t.started_at < t.started_before + ${CACHE_LIFE}::interval
    )
    SELECT coalesce(c.model, '') AS model, count(*)::float8 AS changes, sum(c.lost)::float8 AS tokens,
      sum(c.lost::numeric * greatest(p.input_nano_usd_per_mtok - p.cache_read_nano_usd_per_mtok, 0) / 1000000)::bigint
        AS "costNanoUsd"
    FROM changes c
    -- A provider without a lower price for cached input has no cache.
    JOIN model_prices p ON p.id = c.price_id AND p.cache_read_nano_usd_per_mtok IS NOT NULL
    GROUP BY 1
    ORDER BY 4 DESC, 1`);
  return [...rows];
}
