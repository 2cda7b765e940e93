import type { Database } from '../client.ts';

/** One request of an authenticated key, when it is over. Counts are whole, from 0 to 2^31−1. */
export interface RequestRecord {
  id: string;
  startedAtMs: number;
  accountId: string;
  keyId: string;
  endpoint: string;
  model: string | null;
  provider: string | null;
  upstreamModel: string | null;
  streamed: boolean;
  status: number;
  errorCode: string | null;
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  estimated: boolean;
  priceId: number | null;
  costNanoUsd: bigint;
  latencyMs: number;
  firstByteMs: number | null;
}

/** What a key has spent in all, as of a commit. */
export interface KeySpend {
  keyId: string;
  spentNanoUsd: bigint;
}

/**
 * Writes a batch of requests together with the totals of their keys and the hourly usage, in one statement.
 * A record whose id was written before is skipped with everything that hangs on it, so a batch can be sent again.
 * @returns the totals of every key in the batch whose row was new
 */
export async function recordRequests(db: Database, batch: readonly RequestRecord[]): Promise<KeySpend[]> {
  const rows = JSON.stringify(batch.map(toRow));
  return db.sql<KeySpend[]>`
    WITH input AS (
      SELECT * FROM json_to_recordset(${rows}::text::json) AS r(
        id text, started_at timestamptz, account_id text, key_id text, endpoint text, model text, provider text,
        upstream_model text, streamed boolean, status integer, error_code text, input_tokens integer,
        cache_read_tokens integer, cache_write_tokens integer, output_tokens integer, estimated boolean,
        price_id bigint, cost_nano_usd bigint, latency_ms integer, first_byte_ms integer)
    ), inserted AS (
      INSERT INTO requests (
        id, started_at, account_id, key_id, endpoint, model, provider, upstream_model, streamed, state, status,
        error_code, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, estimated, price_id,
        cost_nano_usd, latency_ms, first_byte_ms)
      SELECT
        id, started_at, account_id, key_id, endpoint, model, provider, upstream_model, streamed, 'settled', status,
        error_code, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, estimated, price_id,
        cost_nano_usd, latency_ms, first_byte_ms
      FROM input
      ON CONFLICT DO NOTHING
      RETURNING *
    ), locked AS (
      -- In one order on every replica, so that two batches never wait for each other.
      SELECT key_id FROM key_totals WHERE key_id IN (SELECT key_id FROM input) ORDER BY key_id FOR UPDATE
    ), hourly AS (
      INSERT INTO usage_hourly AS usage (
        hour, account_id, key_id, model, requests, errors, input_tokens, cache_read_tokens, cache_write_tokens,
        output_tokens, cost_nano_usd)
      SELECT
        date_trunc('hour', started_at, 'UTC'), account_id, key_id, coalesce(model, ''), count(*),
        count(*) FILTER (WHERE error_code IS NOT NULL AND error_code <> 'client_gone'), sum(input_tokens), sum(cache_read_tokens), sum(cache_write_tokens),
        sum(output_tokens), sum(cost_nano_usd)
      FROM inserted
      GROUP BY 1, 2, 3, 4
      ORDER BY 3, 1, 4
      ON CONFLICT (key_id, hour, model) DO UPDATE SET
        requests = usage.requests + excluded.requests,
        errors = usage.errors + excluded.errors,
        input_tokens = usage.input_tokens + excluded.input_tokens,
        cache_read_tokens = usage.cache_read_tokens + excluded.cache_read_tokens,
        cache_write_tokens = usage.cache_write_tokens + excluded.cache_write_tokens,
        output_tokens = usage.output_tokens + excluded.output_tokens,
        cost_nano_usd = usage.cost_nano_usd + excluded.cost_nano_usd
    )
    UPDATE key_totals AS totals SET
      spent_nano_usd = totals.spent_nano_usd + sums.cost,
      last_used_at = greatest(totals.last_used_at, sums.last_used_at)
    FROM (
      SELECT key_id, sum(cost_nano_usd)::bigint AS cost, max(started_at) AS last_used_at FROM inserted GROUP BY key_id
    ) AS sums
    JOIN locked USING (key_id)
    WHERE totals.key_id = sums.key_id
    RETURNING totals.key_id AS "keyId", totals.spent_nano_usd AS "spentNanoUsd"`;
}

/** Makes sure that the months to come have their partition of `requests`. */
export async function ensureRequestPartitions(db: Database, monthsAhead: number): Promise<void> {
  await db.sql`SELECT ensure_request_partitions(${monthsAhead})`;
}

function toRow(record: RequestRecord) {
  return {
    id: record.id,
    started_at: new Date(record.startedAtMs).toISOString(),
    account_id: record.accountId,
    key_id: record.keyId,
    endpoint: record.endpoint,
    model: record.model,
    provider: record.provider,
    upstream_model: record.upstreamModel,
    streamed: record.streamed,
    status: record.status,
    error_code: record.errorCode,
    input_tokens: record.inputTokens,
    cache_read_tokens: record.cacheReadTokens,
    cache_write_tokens: record.cacheWriteTokens,
    output_tokens: record.outputTokens,
    estimated: record.estimated,
    price_id: record.priceId,
    cost_nano_usd: String(record.costNanoUsd),
    latency_ms: record.latencyMs,
    first_byte_ms: record.firstByteMs,
  };
}
